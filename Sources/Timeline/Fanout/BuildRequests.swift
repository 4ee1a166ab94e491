import Coordination
import Database
import Logging
import RedisClient
import SocialGraph

/// The requests of nodes that do not build windows to the one that does: a list beside the windows of the first shard
/// of each group. A request may be lost; its reader makes another one at the next page.
final class BuildRequests: Sendable {
    /// Maximum length of a list. The latest requests stay.
    static let listLength: Int64 = 20_000
    /// Seconds after which requests that nobody takes are forgotten.
    static let lifetime: Int64 = 60
    /// Requests sent or taken at once.
    static let atOnce = 256
    /// The pause between two looks at a list. It grows by its least length while the list is empty.
    private static let (leastPause, longestPause) = (Duration.milliseconds(50), Duration.seconds(1))

    private let queue = RequestQueue<UserID>(capacity: WindowBuilder.queueLength)
    private let shards: ReadableShards
    private var groups: Int { ShardNumber.groups(of: shards.all.count) }
    private let logger: Logger

    init(shards: ReadableShards, logger: Logger) {
        self.shards = shards
        self.logger = logger
    }

    func request(_ viewer: UserID) { queue.request(viewer) }

    /// The number of requests that wait on this node or, sent by any node, for their builder.
    func pending() async -> Int {
        var count = queue.pending
        for shard in (0..<groups).map(first) {
            guard let keys = shard.space.keys else { continue }
            var command = RedisCommand("LLEN")
            keys.appendRequests(to: &command)
            count += Int((try? await shard.connection.send(command, timeout: nil) { try $0.integer }) ?? 0)
        }
        return count
    }

    /// Sends the requests of this node. Runs until the task is cancelled.
    func run() async {
        await queue.run(concurrency: 1, atOnce: Self.atOnce) { viewers in
            let parts = Dictionary(grouping: viewers) { ShardNumber.group(of: $0, among: self.shards.all.count) }
            for (group, part) in parts { await self.send(part, to: self.first(of: group)) }
        }
    }

    private func first(of group: Int) -> ReadableShard {
        shards.all[ShardNumber.first(ofGroup: group, of: shards.all.count)]
    }

    private func send(_ viewers: [UserID], to shard: ReadableShard) async {
        guard let keys = shard.space.keys else { return }
        var push = RedisCommand("LPUSH")
        keys.appendRequests(to: &push)
        for viewer in viewers { push.append(integer: viewer.rawValue) }
        var trim = RedisCommand("LTRIM")
        keys.appendRequests(to: &trim)
        trim.append("0")
        trim.append(integer: Self.listLength - 1)
        var expire = RedisCommand("EXPIRE")
        keys.appendRequests(to: &expire)
        expire.append(integer: Self.lifetime)
        do {
            try await shard.connection.send([push, trim, expire], timeout: nil) { try $0.throwIfAnyError() }
        } catch {
            logger.debug("windows cannot be requested", metadata: ["error": "\(error)"])
        }
    }

    /// Passes the requests of all nodes for windows of the group of `shard`, its first one, to `build`. Runs until the
    /// task is cancelled.
    static func take(from shard: WindowShard, logger: Logger, _ build: (UserID) -> Void) async {
        var pause = leastPause
        while !Task.isCancelled {
            do {
                let viewers = try await next(of: shard)
                for viewer in viewers { build(viewer) }
                if viewers.count == atOnce { continue }
                pause = viewers.isEmpty ? min(pause + leastPause, longestPause) : leastPause
            } catch {
                logger.debug("requests for windows cannot be read", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: pause)
        }
    }

    private static func next(of shard: WindowShard) async throws -> [UserID] {
        guard let keys = shard.space.keys else { return [] }
        var command = RedisCommand("RPOP")
        keys.appendRequests(to: &command)
        command.append(integer: Int64(atOnce))
        return try await shard.writing.send(command, timeout: nil) { reply in
            reply.isNull ? [] : try (0..<reply.count).map { UserID(rawValue: try reply[$0].int64) }
        }
    }
}
