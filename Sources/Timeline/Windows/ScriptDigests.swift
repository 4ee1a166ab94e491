import RedisClient

/// SHA-1 digests by which Redis knows the scripts that it has loaded.
struct ScriptDigests: Sendable, Equatable {
    let push: String
    let pushEach: String
    let pushBuckets: String
    let remove: String
    let retract: String
    let begin: String
    let flip: String
    let look: String
    let fold: String
    let evict: String
    let end: String

    static func load(over connection: some RedisSending) async throws -> ScriptDigests {
        func load(_ source: String) async throws -> String {
            try await connection.send(RedisCommand("SCRIPT", ["LOAD", source]), timeout: nil) { try $0.text }
        }
        return ScriptDigests(
            push: try await load(WindowScripts.push), pushEach: try await load(WindowScripts.pushEach),
            pushBuckets: try await load(WindowScripts.pushBuckets), remove: try await load(WindowScripts.remove),
            retract: try await load(WindowScripts.retract), begin: try await load(WindowScripts.begin),
            flip: try await load(WindowScripts.flip), look: try await load(WindowScripts.look),
            fold: try await load(WindowScripts.fold), evict: try await load(WindowScripts.evict),
            end: try await load(WindowScripts.end))
    }
}

/// The connection of a shard: to a Redis of its own, or to the present master of a bucket.
package protocol WindowConnection: RedisSending {
    var state: RedisConnection.State { get }
    /// True while commands wait for those of another connection.
    var givesWay: Bool { get }
    /// Returns once commands are accepted; throws if that cannot happen any more.
    func waitUntilUp() async throws
    /// Has the windows established anew before anything else is sent.
    func reconnect(because renewal: RedisConnection.Renewal)
}

extension RedisConnection: WindowConnection {}
