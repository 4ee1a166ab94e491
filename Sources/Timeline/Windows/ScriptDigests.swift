/// SHA-1 digests by which Redis knows the scripts that it has loaded.
struct ScriptDigests: Sendable, Equatable {
    let push: String
    let remove: String
    let raise: String
    let begin: String
    let flip: String
    let drop: String

    static func load(over connection: some RedisSending) async throws -> ScriptDigests {
        let sources = [
            WindowScripts.push, WindowScripts.remove, WindowScripts.raise, WindowScripts.begin, WindowScripts.flip,
            WindowScripts.drop,
        ]
        var digests: [String] = []
        for source in sources {
            digests.append(
                try await connection.send(RedisCommand("SCRIPT", ["LOAD", source]), timeout: nil) { try $0.text })
        }
        return ScriptDigests(
            push: digests[0], remove: digests[1], raise: digests[2], begin: digests[3], flip: digests[4],
            drop: digests[5])
    }
}

/// What the window layer needs of a connection: an open one, or one whose handshake is under way.
package protocol RedisSending: Sendable {
    func send<T: Sendable>(
        _ command: RedisCommand, timeout: Duration?, decode: @escaping @Sendable (RedisReplyView) throws -> T
    ) async throws -> T
    func send<T: Sendable>(
        _ commands: [RedisCommand], timeout: Duration?, decode: @escaping @Sendable (RedisReplies) throws -> T
    ) async throws -> T
}

extension RedisConnection: RedisSending {}
extension RedisHandshake: RedisSending {}
