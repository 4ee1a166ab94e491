/// Questions to a Redis on a connection of their own.
package enum RedisProbe {
    /// Connects, logs in, and sends the commands in one pipeline; throws ``RedisError``.
    package static func ask<T: Sendable>(
        _ configuration: RedisConfiguration, _ commands: [RedisCommand],
        decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T {
        let session = try RedisSession(configuration: configuration, name: "redis probe") {}
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await session.run() }
            defer { session.drain() }
            _ = try await RedisHandshake(session)
            return try await session.send(commands, timeout: configuration.commandTimeout, decode: decode)
        }
    }

    /// Connects, says PING and returns the process id of the server; throws ``RedisError`` if it is not ready.
    package static func processID(_ configuration: RedisConfiguration) async throws -> Int32 {
        let session = try RedisSession(configuration: configuration, name: "redis probe") {}
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await session.run() }
            defer { session.drain() }
            let commands = [RedisCommand("PING"), RedisCommand("INFO", ["server"])]
            let info = try await session.send(commands, timeout: configuration.connectTimeout) { replies in
                try replies.throwIfAnyError()
                return RedisInfo(try replies[1].text)
            }
            guard let pid = info["process_id"].flatMap(Int32.init) else {
                throw RedisError.unexpected("a process_id in INFO server")
            }
            return pid
        }
    }
}
