import Algorithms
import Database

/// Commits groups on the writer's thread, across lost connections.
final class GroupCommitter {
    typealias Request = GroupWriter.Request
    typealias Begin = (PostgreSQLConnection, _ ahead: [SQLQuery]) throws -> ServerTransaction

    /// A group whose commit was sent and has not been answered.
    private struct Unanswered {
        let token: GroupToken
        let news: CommittedGroup
        /// Work that resumes the callers; nil: they have been refused meanwhile.
        var answers: [() -> Void]?
    }

    private let source: ConnectionSource
    private let clock: GraphClock
    private let mechanisms: WriteMechanisms
    private let health: StorageHealth
    private let begin: Begin
    private let lateComers: ([Request]) -> [Request]
    private let observe: (CommittedGroup) -> Void
    private let isClosed: () -> Bool
    private let node = Int64.random(in: 1...IDSequence.maximum)
    private var groups: Int64 = 0
    private var connection: PostgreSQLConnection?
    private var unanswered: Unanswered?

    /// The reason for which no request of a group was carried out.
    struct Refusal: Error {
        let reason: any Error
        /// True if the server has been away for as long as callers wait.
        let isServerAway: Bool
    }

    init(
        _ source: ConnectionSource, clock: GraphClock, mechanisms: WriteMechanisms, health: StorageHealth,
        isClosed: @escaping () -> Bool, begin: @escaping Begin, lateComers: @escaping ([Request]) -> [Request],
        observe: @escaping (CommittedGroup) -> Void
    ) {
        self.source = source
        self.clock = clock
        self.mechanisms = mechanisms
        self.health = health
        self.isClosed = isClosed
        self.begin = begin
        self.lateComers = lateComers
        self.observe = observe
    }

    /// Commits a group. Returns the work that is left: to resume each caller with its result.
    ///
    /// - Parameters:
    ///   - group: receives the requests that have come until the group had the lock on the sequencer row, for which it
    ///     may have waited for other nodes.
    ///   - isBulk: references are checked at the end of the transaction, which may take its time. Nothing joins it.
    ///   - start: the time from which the requests have waited.
    func commit(
        _ group: inout [Request], isBulk: Bool, since start: ContinuousClock.Instant
    ) throws(Refusal) -> [() -> Void] {
        let deadline = start + source.timeouts.patience
        var retry = Retry(until: deadline, isClosed: isClosed)
        while true {
            do {
                return try attempt(&group, isBulk: isBulk, until: isBulk ? nil : deadline)
            } catch {
                do { try retry.pause(after: error) } catch { throw refusal(error) }
            }
        }
    }

    /// Finds out whether the server commits, which readers doubt, and looks for another one if it does not. Holds no
    /// lock for which a group could wait. Returns whether there is one that commits.
    func examine() -> Bool {
        let (start, patience) = (ContinuousClock.now, source.timeouts.patience)
        if let connection {
            do {
                try source.examine(connection, until: start + patience / 5)
                return true
            } catch {
                self.connection = nil
            }
        }
        do {
            connection = try source.writerConnection(until: start + patience * 7 / 10, isDoubted: true)
        } catch {
            return false
        }
        return true
    }

    private func refusal(_ error: any Error) -> Refusal {
        // The group may still turn out to have been committed, which observers must hear.
        unanswered?.answers = nil
        guard let failure = error as? ServerFailure else { return Refusal(reason: error, isServerAway: false) }
        return Refusal(reason: failure.databaseError(notedIn: health), isServerAway: failure.isPassing)
    }

    /// - Parameter deadline: the end of waiting for the server, which may be waiting for a standby or for a lock.
    private func attempt(
        _ group: inout [Request], isBulk: Bool, until deadline: ContinuousClock.Instant?
    ) throws -> [() -> Void] {
        do {
            let connection = try connection ?? source.writerConnection(until: deadline)
            self.connection = connection
            connection.deadline = deadline
            if let answers = try settleUnanswered(on: connection) { return answers }
            return try run(&group, isBulk: isBulk, on: connection)
        } catch let failure as ServerFailure where failure.isPassing {
            if let connection { source.passOverIfOverdue(connection) }
            connection = nil
            throw failure
        } catch {
            leaveTransaction()
            throw error
        }
    }

    private func leaveTransaction() {
        do { try connection?.post([ServerCommand("ROLLBACK")]) } catch { connection = nil }
    }

    /// Finds out what has become of the commit that was not answered. Returns its answers if it has happened and its
    /// callers still wait.
    private func settleUnanswered(on connection: PostgreSQLConnection) throws -> [() -> Void]? {
        guard let former = unanswered, mechanisms.asksForToken else { return nil }
        let isCommitted = try former.token.isCommitted(on: connection, now: clock.wall())
        unanswered = nil
        guard isCommitted else { return nil }
        observe(former.news)
        return former.answers
    }

    /// Runs the requests of a group, which are concurrent, so any order is right: those that read ahead come first, so
    /// that only such requests have changed anything when the results are used.
    private func run(
        _ group: inout [Request], isBulk: Bool, on connection: PostgreSQLConnection
    ) throws -> [() -> Void] {
        func begin() throws -> ServerTransaction {
            let transaction = try self.begin(connection, group.queriesAhead)
            if isBulk { try transaction.execute("SET CONSTRAINTS ALL DEFERRED", []) }
            return transaction
        }
        let transaction = try begin()
        if !isBulk, mechanisms.admitsLateComers {
            let late = lateComers(group)
            group += late
            try transaction.readAhead(late.queriesAhead)
        }
        group = group.filter { !$0.ahead.isEmpty } + group.filter(\.ahead.isEmpty)
        do {
            let (transaction, outcomes) = try GroupRun.perform(group, in: transaction, begin: begin)
            return try finish(transaction, outcomes)
        } catch let failure as ServerFailure where failure.isOfRequest && group.count > 1 {
            // The commit has found the error of a statement that nobody has waited for.
            leaveTransaction()
            let (transaction, outcomes) = try GroupRun.performApart(group, begin: begin)
            return try finish(transaction, outcomes)
        }
    }

    private func finish(_ transaction: ServerTransaction, _ outcomes: [Outcome]) throws -> [() -> Void] {
        let answers = outcomes.map(\.committed)
        // If the only request of a group failed, it has undone the transaction.
        if transaction.isOpen {
            groups += 1
            let token = GroupToken(node: node, number: groups)
            do {
                try transaction.commit(token) { self.unanswered = Unanswered(token: token, news: $0, answers: answers) }
            } catch let failure as ServerFailure where !failure.isPassing {
                unanswered = nil
                throw failure
            }
            unanswered = nil
            health.noteCommit()
        }
        observe(transaction.ledger.news)
        return answers
    }
}

extension [GroupCommitter.Request] {
    /// The queries that the requests read ahead, each once.
    fileprivate var queriesAhead: [SQLQuery] { [SQLQuery](lazy.flatMap(\.ahead).uniqued()) }
}
