import Logging
import Testing

@testable import RedisClient

/// Runs a connection around `body`, from its first being up to the end of its thread.
func withConnection<R: Sendable>(
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

extension RedisConfiguration {
    /// For a peer that the test scripts: a quick back-off, and time limits that a slow machine does not reach.
    static func peer(_ peer: FakePeer) -> RedisConfiguration {
        var configuration = RedisConfiguration(endpoint: peer.endpoint)
        configuration.backoff = RedisBackoff(minimum: .milliseconds(1), maximum: .milliseconds(20))
        configuration.connectTimeout = .seconds(600)
        configuration.commandTimeout = .seconds(600)
        return configuration
    }
}

extension RedisConnection {
    func echo(_ text: String) async throws -> String {
        try await send(RedisCommand("ECHO", [text])) { try $0.text }
    }

    /// Commands of a recovered connection get their own replies.
    func expectEchoes(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitUntilUp()
        for number in 0..<5 {
            let reply = try await echo("after \(number)")
            #expect(reply == "after \(number)", comment, sourceLocation: sourceLocation)
        }
    }
}

/// The code of the ``RedisError`` that `body` throws; fails if it throws none.
func redisError(_ body: () async throws -> some Any) async -> RedisError? {
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
