import Database
import Foundation
import RedisClient
import SocialGraph
import Timeline

/// The nodes and masters that have the readers of a bucket.
package struct Partitioning: Sendable {
    /// Buckets are leased in groups, each a run of buckets.
    package static let groups = ShardNumber.groups(of: RedisBucket.count)

    package let nodes: Int
    package let masters: Int

    /// - Precondition: there is at least one of each, and at most one master a bucket.
    package init(nodes: Int, masters: Int) {
        precondition(nodes > 0 && (1...RedisBucket.count).contains(masters), "buckets need a node and a master")
        self.nodes = nodes
        self.masters = masters
    }

    static func bucket(of viewer: UserID) -> Int { WindowBucket(of: viewer).number }

    static func group(of bucket: Int) -> Int { ShardNumber(index: bucket, of: RedisBucket.count).group }

    /// The node that leases the bucket's group, where groups are divided evenly. With more nodes than groups, some have
    /// none.
    func node(of bucket: Int) -> Int { Self.group(of: bucket) * min(nodes, Self.groups) / Self.groups }

    /// The master of the bucket's slot, where `redis-cli --cluster create` has divided the slots.
    func master(of bucket: Int) -> Int {
        let slot = Double(RedisBucket(bucket).slot.number)
        let slotsEach = Double(RedisSlot.count) / Double(masters)
        // The last slot of master m is (m + 1) · slotsEach - 1, rounded.
        var master = min(Int(slot / slotsEach), masters - 1)
        if master > 0, slot <= (Double(master) * slotsEach - 1).rounded() { master -= 1 }
        return master
    }
}

/// Ids of accounts that were created one after another over two years, at random times.
struct AccountIDs: Sendable {
    private static let period = 2 * 365 * 86_400_000.0
    private let spacing: Double
    private let seed: UInt64

    init(users: Int, seed: UInt64) {
        spacing = max(Self.period / Double(users), 1)
        self.seed = seed
    }

    func id(of user: Int) -> UserID {
        var random = UserRandom(seed: seed, user: user)
        let milliseconds = Int64((Double(user) + random.fraction()) * spacing)
        return UserID(rawValue: IDSequence.first(at: IDSequence.epoch + milliseconds))
    }
}
