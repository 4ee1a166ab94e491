import CPQ
import Database
import DequeModule
import Glibc

/// A statement to send, with its arguments.
struct ServerCommand {
    let sql: String
    let arguments: [SQLValue]
    /// The types with which the parameters are declared.
    let types: [ParameterType]

    init(_ sql: String, _ arguments: [SQLValue] = []) {
        self.init(sql, arguments, types: arguments.map(\.parameterType))
    }

    /// - Parameter types: those of all arguments, which may be NULL.
    init(_ sql: String, _ arguments: [SQLValue], types: [ParameterType]) {
        self.sql = sql
        self.arguments = arguments
        self.types = types
    }

    init(_ query: SQLQuery) { self.init(query.sql, query.arguments) }
}

/// A connection to a server through libpq, in pipeline mode: all statements of a call travel together and cost one
/// round trip. Its calls block, so a thread of its own uses it.
final class PostgreSQLConnection {
    enum Role: Sendable { case writer, reader }

    /// The part of a result that somebody waits for.
    private enum Interest { case rows, failure, nothing }

    /// An answer that the server owes.
    private enum Due {
        case result(sql: String, Interest)
        case preparation(PreparedStatements.Key, Interest)
        case room
        case end

        /// The same answer, in which nobody is interested any more.
        var ignored: Due {
            switch self {
            case .result(let sql, _): .result(sql: sql, .nothing)
            case .preparation(let key, _): .preparation(key, .nothing)
            case .room, .end: self
            }
        }
    }

    /// The longest time between the beginning of a short answer and its end.
    private static let restOfAnswer = Duration.milliseconds(100)

    let handle: OpaquePointer
    private let timeouts: PostgreSQLTimeouts
    private let isServerAlive: (ContinuousClock.Instant) -> Bool
    private let noteRoundTrip: @Sendable () -> Void
    private var statements = PreparedStatements()
    /// Names of statements that have left ``statements`` and not yet the server.
    private var evicted: [String] = []
    private var due: Deque<Due> = []
    /// True if commands have been sent whose group has not been ended.
    private var hasStarted = false
    /// Warnings that the server has sent.
    private(set) var warnings = 0
    private(set) var isUsable = true
    /// True if the connection was given up because the server owed an answer for too long.
    private(set) var isOverdue = false
    /// The index of the server's host in its address.
    var host = 0
    /// The end of all waiting for answers, for work that somebody waits for; nil: each answer may take as long as
    /// the time-outs allow.
    var deadline: ContinuousClock.Instant?

    /// Takes over a connection that has been established.
    ///
    /// - Parameters:
    ///   - isServerAlive: asks a server that is silent, on another connection, whether it answers at all. Blocks, but
    ///     not beyond the given time.
    ///   - noteRoundTrip: called once for each round trip that somebody waits for.
    init(
        handle: OpaquePointer, timeouts: PostgreSQLTimeouts,
        isServerAlive: @escaping (_ deadline: ContinuousClock.Instant) -> Bool,
        noteRoundTrip: @escaping @Sendable () -> Void
    ) throws {
        self.handle = handle
        self.timeouts = timeouts
        self.isServerAlive = isServerAlive
        self.noteRoundTrip = noteRoundTrip
        PQsetNoticeReceiver(
            handle,
            { context, notice in
                guard let context, let severity = PQresultErrorField(notice, CInt(UInt8(ascii: "V"))) else { return }
                guard String(cString: severity) == "WARNING" else { return }
                Unmanaged<PostgreSQLConnection>.fromOpaque(context).takeUnretainedValue().warnings += 1
            }, Unmanaged.passUnretained(self).toOpaque())
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
    }

    deinit { PQfinish(handle) }

    /// Sends `commands` and returns their results. The first that fails, or a started one that has failed, keeps the
    /// others after it from running.
    ///
    /// - Throws: ``ServerFailure``.
    func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        noteRoundTrip()
        try send(commands, .rows)
        try end()
        return try receive()
    }

    /// Same as ``exchange(_:)``, if the server begins to answer within `patience`; nil: it has not, and the next
    /// exchange discards the answers.
    func exchange(_ commands: [ServerCommand], within patience: Duration) throws -> [ServerResult]? {
        noteRoundTrip()
        try send(commands, .rows)
        try end()
        guard SocketWait.wait(for: PQsocket(handle), writing: false, until: .now + patience) else {
            due = Deque(due.map(\.ignored))
            return nil
        }
        // The rest of an answer that has begun is on its way.
        deadline = .now + Self.restOfAnswer
        defer { deadline = nil }
        return try receive()
    }

    /// Makes sure that a COMMIT has committed.
    ///
    /// - Parameters:
    ///   - result: that of the COMMIT.
    ///   - before: ``warnings`` before it was sent.
    func requireCommitted(_ result: ServerResult?, warningsBefore before: Int) throws {
        // A server that stops waiting for its standby commits all the same, and says so in a warning.
        guard let result, result.command == "COMMIT", warnings == before else {
            throw ServerFailure.connectionLost(
                detail: "the server has not confirmed a commit (\(result?.command ?? "no answer"))")
        }
    }

    /// Waits for the answers that are due, and discards them.
    func discardAnswers() throws { _ = try receive() }

    /// The socket to the server.
    var socket: CInt { PQsocket(handle) }

    /// Waits for notices of NOTIFY, while nothing else is due. Returns their payloads; none: the deadline has passed,
    /// or the server has said something else.
    func notices(until deadline: ContinuousClock.Instant) throws -> [String] {
        let isReadable = SocketWait.wait(for: socket, writing: false, until: deadline)
        if isReadable, PQconsumeInput(handle) != 1 { throw lost() }
        var payloads: [String] = []
        while let notice = PQnotifies(handle) {
            payloads.append(String(cString: notice.pointee.extra))
            PQfreemem(notice)
        }
        return payloads
    }

    /// Queues `commands` to be sent with the next exchange, which throws a failure of theirs.
    func queue(_ commands: [ServerCommand]) throws {
        try send(commands, .failure)
        hasStarted = true
    }

    /// Sends `commands` of a transaction, to be run before those of the next exchange, which throws a failure of
    /// theirs. The server begins at once. Their group is ended, since a server counts the time of an idle transaction,
    /// and ends that of a node which has stopped, only between groups.
    func start(_ commands: [ServerCommand]) throws {
        try send(commands, .failure)
        try end()
        hasStarted = true
    }

    /// Sends `commands` without waiting for their results, which the next exchange discards. They run even if a started
    /// command has failed, and nobody hears of that any more.
    func post(_ commands: [ServerCommand]) throws {
        if hasStarted {
            due = Deque(due.map(\.ignored))
            try end()
        }
        try send(commands, .nothing)
        try end()
    }

    // MARK: Sending

    private func send(_ commands: [ServerCommand], _ interest: Interest) throws {
        guard isUsable else { throw lost() }
        for command in commands { try send(command, interest) }
    }

    /// Ends a group of commands: the server runs what is sent after it, even if one of them has failed.
    private func end() throws {
        try sendEnd()
        hasStarted = false
        if !evicted.isEmpty { try sendEvictions() }
        if PQflush(handle) < 0 { throw lost() }
    }

    private func sendEnd() throws {
        try queued(PQpipelineSync(handle))
        due.append(.end)
    }

    /// Removes statements from the server, after the commands that needed their room: before a BEGIN, the removal would
    /// already be a query of the transaction.
    private func sendEvictions() throws {
        for name in evicted {
            try queued(PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1))
            due.append(.room)
        }
        evicted = []
        try sendEnd()
    }

    private func send(_ command: ServerCommand, _ interest: Interest) throws {
        let key = PreparedStatements.Key(sql: command.sql, types: command.types)
        let use = statements.use(key)
        if let name = use.evicted { evicted.append(name) }
        if use.isNew {
            let types = key.declaredTypes
            let sql = ParameterNumbering.postgreSQL(command.sql)
            try queued(PQsendPrepare(handle, use.name, sql, CInt(types.count), types))
            due.append(.preparation(key, interest))
        }
        try queued(
            StatementParameters(command.arguments).withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(handle, use.name, count, values, lengths, formats, 1)
            })
        due.append(.result(sql: command.sql, interest))
    }

    private func queued(_ isQueued: CInt) throws {
        if isQueued != 1 { throw lost() }
    }

    // MARK: Receiving

    /// Receives everything that is due.
    private func receive() throws -> [ServerResult] {
        var results: [ServerResult] = []
        var failure: ServerFailure?
        let patience = ContinuousClock.now + timeouts.answer
        let deadline = deadline.map { min($0, patience) } ?? patience
        while let next = due.first {
            guard let result = try self.result(until: deadline) else { throw lost() }
            due.removeFirst()
            switch next {
            case .end:
                guard result.status == PGRES_PIPELINE_SYNC else { throw lost() }
                // The result of an end has no terminator.
                continue
            case .result(let sql, let interest):
                failure = try failure ?? self.failure(result, sql: sql, isKept: interest != .nothing)
                if interest == .rows, failure == nil { results.append(result) }
            case .preparation(let key, let interest):
                if result.status != PGRES_COMMAND_OK { statements.forget(key) }
                failure = try failure ?? self.failure(result, sql: key.sql, isKept: interest != .nothing)
            case .room:
                _ = try self.failure(result, sql: "DEALLOCATE", isKept: false)
            }
            guard try self.result(until: deadline) == nil else { throw lost() }
        }
        if let failure { throw failure }
        return results
    }

    /// Returns the failure that a result stands for; nil: it is none, or nobody waits for it. Throws if the connection
    /// has ended.
    private func failure(_ result: ServerResult, sql: String, isKept: Bool) throws -> ServerFailure? {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_PIPELINE_ABORTED: return nil
        default:
            guard let (state, message) = result.failure, PQstatus(handle) == CONNECTION_OK else {
                throw lost(result.message)
            }
            return isKept ? .statement(state, message: message, sql: sql) : nil
        }
    }

    /// The next result; nil: the end of a statement's results.
    private func result(until deadline: ContinuousClock.Instant) throws -> ServerResult? {
        while PQisBusy(handle) == 1 {
            let unsent = PQflush(handle)
            if unsent < 0 { throw lost() }
            try waitForServer(writing: unsent == 1, until: deadline)
            if PQconsumeInput(handle) != 1 { throw lost() }
        }
        return PQgetResult(handle).map(ServerResult.init)
    }

    /// Waits for the socket. A server that is silent may be working; one that does not even accept a connection is
    /// away.
    private func waitForServer(writing: Bool, until deadline: ContinuousClock.Instant) throws {
        while true {
            let look = min(deadline, .now + timeouts.silence)
            if SocketWait.wait(for: PQsocket(handle), writing: writing, until: look) { return }
            guard look < deadline else { throw overdue("the server has not answered in time") }
            if isServerAlive(deadline) { continue }
            // Near its end, the time was too short for an attempt to connect.
            if ContinuousClock.now < deadline { throw overdue("the server is silent and accepts no connection") }
        }
    }

    private func overdue(_ reason: String) -> ServerFailure {
        isOverdue = true
        return lost(reason)
    }

    /// Gives the connection up. Returns the failure to throw.
    private func lost(_ reason: String? = nil) -> ServerFailure {
        isUsable = false
        let message = reason ?? String(cString: PQerrorMessage(handle))
        let lines = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return .connectionLost(detail: "the connection to the database was lost: \(lines)")
    }
}
