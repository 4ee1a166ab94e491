/// Sends commands over a connection that is open or in its handshake.
package protocol RedisSending: Sendable {
    func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration?, decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T
    func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration?, decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T
}

extension RedisHandshake: RedisSending {}
