import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import ScaleSimulation

@Suite(.timeLimit(.unit))
struct PartitioningTests {
    @Test
    func `masters have the slots that redis-cli gives them`() {
        // `redis-cli --cluster create` with three masters: 0 to 5460, 5461 to 10922, 10923 to 16383.
        let three = Partitioning(nodes: 1, masters: 3)
        for bucket in RedisBucket.all {
            let expected = bucket.slot.number <= 5_460 ? 0 : bucket.slot.number <= 10_922 ? 1 : 2
            #expect(three.master(of: bucket.number) == expected)
        }
        for masters in [1, 2, 5, 8, 16, 255, 256] {
            let partitioning = Partitioning(nodes: 1, masters: masters)
            let owned = Dictionary(grouping: 0..<RedisBucket.count, by: partitioning.master).mapValues(\.count)
            #expect(owned.count == masters)
            #expect((owned.values.max() ?? 0) - (owned.values.min() ?? 0) <= 1, "\(masters)")
        }
    }

    @Test
    func `groups are divided among nodes`() {
        for (nodes, most) in [(1, 16), (3, 6), (5, 4), (16, 1), (40, 1)] {
            let partitioning = Partitioning(nodes: nodes, masters: 1)
            let buckets = Dictionary(grouping: 0..<RedisBucket.count, by: partitioning.node).mapValues(\.count)
            #expect(buckets.values.max() == most * RedisBucket.count / Partitioning.groups)
            #expect(buckets.count == min(nodes, Partitioning.groups))
        }
    }

    @Test
    func `a group is a shard of sixteen`() {
        for viewer in 1...5_000 {
            let bucket = WindowBucket(of: UserID(rawValue: Int64(viewer) << 20))
            #expect(bucket.shard(among: Partitioning.groups) == Partitioning.group(of: bucket.number))
        }
    }
}
