import Synchronization

/// One session of a connection: for the hook of ``RedisConnection`` to prepare the server while the session is not yet
/// open to all callers, and for commands that must not be sent on a later one.
package struct RedisHandshake: Sendable, Equatable {
    /// Redis' `run_id`: a changed value means another process, or a restart of the same server. For a master of a
    /// cluster the replication id of the history that all replies on this session belong to.
    package let runID: String
    private let session: RedisSession

    /// Sends on exactly this connection; the rules of ``RedisConnection/send(_:timeout:decode:)`` apply.
    package func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration? = nil,
        decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T {
        try await session.send(command, timeout: timeout, decode: decode)
    }

    package func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration? = nil,
        decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        try await session.send(commands, timeout: timeout, decode: decode)
    }
}

extension RedisHandshake {
    /// Logs in, selects the database and asks for the server's identity, in one pipeline.
    init(_ session: RedisSession) async throws {
        let configuration = session.configuration
        var commands: [RedisCommand] = []
        if let password = configuration.password {
            commands.append(RedisCommand("AUTH", [configuration.username, password].compactMap(\.self)))
        }
        if configuration.database != 0 { commands.append(RedisCommand("SELECT", ["\(configuration.database)"])) }
        // PING is refused while a snapshot is being loaded; INFO is not.
        commands.append(RedisCommand("PING"))
        commands.append(RedisCommand("INFO", ["server"]))
        let info = try await session.send(commands, timeout: configuration.connectTimeout) { replies in
            try replies.throwIfAnyError()
            return try replies[replies.count - 1].text
        }
        guard let runID = RedisInfo(info)["run_id"] else { throw RedisError.unexpected("a run_id in INFO server") }
        let history = session.confirmedHistory.withLock(\.self)
        guard history != nil || !configuration.confirmsHistory else {
            throw RedisError.unexpected("a master_replid in INFO replication")
        }
        self.init(runID: history ?? runID, session: session)
    }

    /// True until the session is closed or broken.
    package var isOpen: Bool {
        session.queue.withLock {
            if case .open = $0.phase { true } else { false }
        }
    }

    /// The same for handshakes of one session alone, as long as one of them exists.
    package var id: ObjectIdentifier { ObjectIdentifier(session) }

    package static func == (one: RedisHandshake, other: RedisHandshake) -> Bool { one.session === other.session }
}

extension RedisSession {
    func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration?, decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T {
        try await send(command, [], timeout: timeout) { replies in
            try replies[0].throwIfError()
            return try decode(replies[0])
        }
    }

    func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration?, decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        guard let first = commands.first else { throw RedisError.unexpected("at least one command") }
        return try await send(first, Array(commands.dropFirst()), timeout: timeout, decode: decode)
    }
}

/// The `field:value` lines of a reply to INFO.
package struct RedisInfo: Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package subscript(field: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0] == field { return String(parts[1]) }
        }
        return nil
    }
}
