import Database
import SocialGraph

/// The windows that one process maintains: all, or those of some groups of shards of which other nodes have the rest.
struct FanoutShare: Sendable {
    let shards: Int
    /// The lease of each group.
    private let leases: [Int: HeldLease]
    /// The lease of the first group.
    let first: HeldLease
    /// Nil if one process maintains all windows under one lease.
    private let groups: Int?

    /// All windows.
    init(all lease: HeldLease, shards: Int) {
        (self.shards, leases, first, groups) = (shards, [0: lease], lease, nil)
    }

    /// The windows of the groups that `leases` are for; nil: of none.
    init?(of leases: [Int: HeldLease], shards: Int) {
        guard let first = leases.min(by: { $0.key < $1.key })?.value else { return nil }
        (self.shards, self.leases, self.first, groups) = (shards, leases, first, ShardNumber.groups(of: shards))
    }

    /// True while work may begin.
    var isHeld: Bool { leases.values.allSatisfy(\.isHeld) }
    /// True if no other process maintains windows.
    var isWhole: Bool { groups.map { leases.count == $0 } ?? true }
    /// The groups, in order.
    var held: [Int] { leases.keys.sorted() }

    /// The lease under which the windows of `shard` are maintained; nil: another process has them.
    func lease(of shard: ShardNumber) -> HeldLease? { leases[groups == nil ? 0 : shard.group] }

    func contains(_ viewer: UserID) -> Bool {
        isWhole || leases[ShardNumber.group(of: viewer, among: shards)] != nil
    }

    /// True for one of the processes, that which ends jobs whose end has an effect in the graph.
    var endsJobs: Bool { leases[0] != nil }

    /// The share as the outbox knows it.
    var ofJobs: GroupShare {
        let (stamps, count) = (leases.sorted { $0.key < $1.key }.map(\.value.stamp), groups ?? 1)
        return GroupShare(
            groups: leases.keys.reduce(into: []) { $0.insert(GroupSet($1)) }, all: GroupSet(upTo: count),
            leases: stamps)
    }
}
