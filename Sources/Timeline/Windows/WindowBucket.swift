import Database
import RedisClient
import SocialGraph

/// One of the 256 groups of readers by which windows are distributed over several Redis servers.
///
/// The bucket of a reader never changes, whatever the number of servers, so a table of a few ids is part of the tests.
package struct WindowBucket: Sendable, Hashable {
    package static let count = RedisBucket.count

    package let number: Int

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the id times 2^64 divided by the golden
    /// ratio, modulo 2^64, of which the highest eight bits are the bucket. Successive ids are spread evenly.
    package init(of viewer: UserID) {
        number = Int((UInt64(bitPattern: viewer.rawValue) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    /// The shard of the bucket among `shards`. Each shard has a run of buckets, as long as the others' or one longer.
    package func shard(among shards: Int) -> Int { number * shards / Self.count }
}

/// The place of a shard among all shards of a server.
package struct ShardNumber: Sendable, Hashable {
    /// Valid numbers of shards.
    package static let counts = 1...16
    /// The shard of a server that has one.
    package static let only = ShardNumber(index: 0, of: 1)

    package let index: Int
    package let count: Int

    package init(index: Int, of count: Int) {
        self.index = index
        self.count = count
    }

    /// All numbers of `count` shards.
    package static func all(of count: Int) -> [ShardNumber] { (0..<count).map { ShardNumber(index: $0, of: count) } }

    /// The most groups of shards that different nodes can maintain.
    private static let mostGroups = 16

    /// The number of groups into which `shards` are divided, and the group of each.
    package static func groups(of shards: Int) -> Int { min(shards, mostGroups) }
    package var group: Int { Self.group(ofShard: index, of: count) }

    /// The first of the shards in `group`.
    static func first(ofGroup group: Int, of count: Int) -> Int {
        let groups = groups(of: count)
        return (group * count + groups - 1) / groups
    }

    static func group(of viewer: UserID, among shards: Int) -> Int {
        group(ofShard: WindowBucket(of: viewer).shard(among: shards), of: shards)
    }

    private static func group(ofShard index: Int, of count: Int) -> Int { index * groups(of: count) / count }

    /// The bucket, if each of them is a shard of its own, as in a cluster.
    var bucket: RedisBucket? { count == RedisBucket.count ? RedisBucket(index) : nil }
    /// The end of the names of settings. They contain the number of shards, because windows that were distributed over
    /// another number are not to be found by them.
    var suffix: String { count == 1 ? "" : "_\(index)_of_\(count)" }
    /// The end of names in the log.
    var label: String { count == 1 ? "" : " \(index)" }
}

extension Collection<UserID> {
    /// The viewers of each of `shards`, in their order here.
    func byShard(among shards: Int) -> [[UserID]] {
        var parts = Array(repeating: [UserID](), count: shards)
        for index in parts.indices { parts[index].reserveCapacity(count / shards + 8) }
        for viewer in self { parts[WindowBucket(of: viewer).shard(among: shards)].append(viewer) }
        return parts
    }
}
