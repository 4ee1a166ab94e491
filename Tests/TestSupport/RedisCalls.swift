import Logging
import RedisClient
import Testing

/// Runs a connection around `body`, which begins once it is up, and waits for the end of its thread.
package func withConnection<R: Sendable>(
    _ configuration: RedisConfiguration, waitUntilUp: Bool = true,
    onHandshake: @escaping @Sendable (RedisHandshake) async throws -> Void = { _ in },
    _ body: @Sendable (RedisConnection) async throws -> R
) async throws -> R {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let connection = try RedisConnection(
        configuration: configuration, name: "test", logger: logger, onHandshake: onHandshake)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await connection.run() }
        defer { connection.close() }
        if waitUntilUp { try await connection.waitUntilUp() }
        return try await body(connection)
    }
}

/// The code of the ``RedisError`` that `body` throws; fails if it throws none.
package func redisError(_ body: () async throws -> some Any) async -> RedisError? {
    do {
        _ = try await body()
        Issue.record("no error was thrown")
        return nil
    } catch {
        let error = error as? RedisError
        #expect(error != nil)
        return error
    }
}
