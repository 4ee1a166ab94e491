import Testing

@testable import RedisClient

extension RedisConfiguration {
    /// A configuration for a scripted peer: a quick back-off, and time limits that a slow machine does not reach.
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

    /// Expects that commands of a recovered connection get their own replies.
    func expectEchoes(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitUntilUp()
        for number in 0..<5 {
            let reply = try await echo("after \(number)")
            #expect(reply == "after \(number)", comment, sourceLocation: sourceLocation)
        }
    }
}
