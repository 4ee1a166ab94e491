import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct WindowBucketTests {
    /// Computed apart from the program: `id * 0x9E3779B97F4A7C15 % 2**64 >> 56`.
    @Test(
        arguments: [
            (0, 0), (1, 158), (2, 60), (3, 218), (7, 83), (128, 27), (1_000, 8), (4_711, 142), (81_306, 223),
            (1 << 40, 74), ((1 << 53) - 1, 228),
        ] as [(Int64, Int)])
    func `the bucket of a reader never changes`(id: Int64, bucket: Int) {
        #expect(WindowBucket(of: UserID(rawValue: id)).number == bucket)
    }

    @Test(arguments: 1...16)
    func `every shard has a run of buckets, of two lengths at most`(shards: Int) {
        let buckets = (0..<WindowBucket.count).map { number in
            WindowBucket.sample(number).shard(among: shards)
        }
        #expect(buckets == buckets.sorted())
        #expect(Set(buckets) == Set(0..<shards))
        let lengths = Set(Dictionary(grouping: buckets, by: \.self).values.map(\.count))
        #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
    }

    @Test(arguments: [1, 2, 3, 16, 256])
    func `groups are runs of shards of one length, each with its first one`(shards: Int) {
        let groups = ShardNumber.all(of: shards).map(\.group)
        let count = ShardNumber.groups(of: shards)
        #expect(count == min(shards, 16) && groups == groups.sorted() && Set(groups) == Set(0..<count))
        #expect(Set(Dictionary(grouping: groups, by: \.self).values.map(\.count)).count == 1)
        for group in 0..<count {
            #expect(ShardNumber.first(ofGroup: group, of: shards) == groups.firstIndex(of: group))
        }
    }

    @Test(arguments: [1, 2, 3, 7, 16, 100, 256, 1_000, 4_096, 65_536])
    func `ids at regular distances are spread evenly`(distance: Int64) {
        var counts = Array(repeating: 0, count: 16)
        for index in 0..<16_000 {
            counts[WindowBucket(of: UserID(rawValue: 1 + Int64(index) * distance)).shard(among: 16)] += 1
        }
        #expect((counts.min() ?? 0) > 900 && (counts.max() ?? 0) < 1_100, "\(counts)")
    }

    @Test func `the viewers of shards are all viewers, in their order`() {
        let viewers = (1...1_000).map { UserID(rawValue: $0) }
        let parts = viewers.byShard(among: 3)
        #expect(parts.joined().sorted() == viewers)
        for (shard, part) in parts.enumerated() {
            #expect(part == part.sorted())
            #expect(part.allSatisfy { WindowBucket(of: $0).shard(among: 3) == shard })
        }
        #expect(viewers.byShard(among: 1) == [viewers])
    }

    @Test func `the only shard has the names of servers without shards`() {
        #expect(ShardNumber.only.suffix.isEmpty)
        #expect(ShardNumber.all(of: 3).map(\.suffix) == ["_0_of_3", "_1_of_3", "_2_of_3"])
    }
}

extension WindowBucket {
    /// Finds a viewer in the bucket.
    fileprivate static func sample(_ number: Int) -> WindowBucket {
        var id: Int64 = 1
        while WindowBucket(of: UserID(rawValue: id)).number != number { id += 1 }
        return WindowBucket(of: UserID(rawValue: id))
    }
}
