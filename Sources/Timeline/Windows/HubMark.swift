import RedisClient
import Synchronization

/// The place in the change log of the hub authors that the windows leave out, stored beside the windows.
///
/// A window that was built after an author became a hub lacks all of that author's posts. A node that does not know of
/// the hub yet would show a page without them, so a reader whose node has not come as far as the mark catches up first.
final class HubMark: Sendable {
    /// The place written last, and the generation that it was written beside, of each shard.
    private let written = Mutex<[Int: (keys: WindowKeys, place: Int64)]>([:])
    private static let field = "hubs"

    /// Writes `place` beside the windows of `shard`. Called before windows there are complete that leave out the hub
    /// authors of that place.
    func raise(to place: Int64, beside shard: WindowShard) async throws {
        guard let keys = shard.space.keys else { throw RedisError.unavailable }
        let last = written.withLock { $0[shard.number.index] }
        if let last, last.keys == keys, last.place >= place { return }
        try await shard.writing.send(Self.raising(to: place, keys), timeout: nil) { _ in }
        written.withLock { $0[shard.number.index] = (keys, place) }
    }

    static func query(_ keys: WindowKeys) -> RedisCommand {
        var command = RedisCommand("HGET")
        keys.appendState(to: &command)
        command.append(field)
        return command
    }

    /// The place in a reply to ``query(_:)``; 0: none was written.
    static func place(_ reply: RedisReplyView) throws -> Int64 { reply.isNull ? 0 : Int64(try reply.text) ?? 0 }

    /// The mark never falls: a node that was the owner before may come late.
    private static func raising(to place: Int64, _ keys: WindowKeys) -> RedisCommand {
        var command = RedisCommand("EVAL")
        command.append(
            """
            local former = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
            if former < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
            return 1
            """)
        command.append("1")
        keys.appendState(to: &command)
        command.append(field)
        command.append(integer: place)
        return command
    }
}
