import Database

/// Commits groups on the writer's thread, across lost connections.
final class GroupCommitter {
    typealias Request = GroupWriter.Request
    typealias Begin = (PostgreSQLConnection) throws -> ServerTransaction

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
    private let observe: (CommittedGroup) -> Void
    private let isClosed: () -> Bool
    private let node = Int64.random(in: 1...IDSequence.maximum)
    private var groups: Int64 = 0
    private var connection: PostgreSQLConnection?
    private var unanswered: Unanswered?

    init(
        _ source: ConnectionSource, clock: GraphClock, mechanisms: WriteMechanisms, health: StorageHealth,
        isClosed: @escaping () -> Bool, begin: @escaping Begin, observe: @escaping (CommittedGroup) -> Void
    ) {
        self.source = source
        self.clock = clock
        self.mechanisms = mechanisms
        self.health = health
        self.isClosed = isClosed
        self.begin = begin
        self.observe = observe
    }

    /// Commits a group. Returns the work that is left: to resume each caller with its result.
    ///
    /// - Parameter isBulk: references are checked at the end of the transaction.
    func commit(_ group: [Request], isBulk: Bool) -> [() -> Void] {
        var retry = Retry(patience: source.timeouts.patience, isClosed: isClosed)
        while true {
            do {
                return try attempt(group, isBulk: isBulk)
            } catch {
                do { try retry.pause(after: error) } catch { return refusals(of: group, error) }
            }
        }
    }

    private func refusals(of group: [Request], _ error: any Error) -> [() -> Void] {
        // Their group may still turn out to have been committed, which observers must hear.
        unanswered?.answers = nil
        let failure = (error as? ServerFailure)?.databaseError(notedIn: health) ?? error
        return group.map { request in { request.refuse(failure) } }
    }

    private func attempt(_ group: [Request], isBulk: Bool) throws -> [() -> Void] {
        do {
            let connection = try connection ?? source.connection(for: .writer)
            self.connection = connection
            if let answers = try settleUnanswered(on: connection) { return answers }
            return try run(group, isBulk: isBulk, on: connection)
        } catch let failure as ServerFailure where failure.isPassing {
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

    private func run(
        _ group: [Request], isBulk: Bool, on connection: PostgreSQLConnection
    ) throws -> [() -> Void] {
        func begin() throws -> ServerTransaction {
            let transaction = try self.begin(connection)
            if isBulk { try transaction.execute("SET CONSTRAINTS ALL DEFERRED", []) }
            return transaction
        }
        do {
            let (transaction, outcomes) = try GroupRun.perform(group, begin: begin)
            return try finish(transaction, outcomes)
        } catch let failure as ServerFailure where failure.isOfRequest && group.count > 1 {
            // The commit has found the error of a statement that had waited.
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
