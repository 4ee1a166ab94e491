import Database
import SocialGraph

/// The windows that one process maintains: all, or those of some groups of shards of which other nodes have the rest.
struct FanoutShare: Sendable {
    let shards: Int
    /// The lease of each group.
    private let leases: [Int: HeldLease]
    /// The lease of the first group.
    let first: HeldLease
    /// The share as the outbox knows it. One process that maintains all windows has one group.
    let ofJobs: GroupShare

    /// All windows.
    init(all lease: HeldLease, shards: Int) {
        (self.shards, leases, first, ofJobs) = (shards, [0: lease], lease, GroupShare(whole: lease.stamp))
    }

    /// The windows of the groups that `leases` are for; nil: of none.
    init?(of leases: [Int: HeldLease], shards: Int) {
        guard let first = leases.min(by: { $0.key < $1.key })?.value else { return nil }
        (self.shards, self.leases, self.first) = (shards, leases, first)
        ofJobs = GroupShare(
            groups: leases.keys.reduce(into: []) { $0.insert(GroupSet($1)) },
            all: GroupSet(upTo: ShardNumber.groups(of: shards)), leases: leases.values.map(\.stamp))
    }

    /// True while work may begin.
    var isHeld: Bool { leases.values.allSatisfy(\.isHeld) }
    /// True if no other process maintains windows.
    var isWhole: Bool { ofJobs.isWhole }
    /// The groups, in order.
    var held: [Int] { leases.keys.sorted() }

    /// The lease under which the windows of `shard` are maintained; nil: another process has them.
    func lease(of shard: ShardNumber) -> HeldLease? { leases[ofJobs.all.count == 1 ? 0 : shard.group] }

    func contains(_ viewer: UserID) -> Bool {
        isWhole || ofJobs.groups.contains(ShardNumber.group(of: viewer, among: shards))
    }

    /// True for one of the processes, that which ends jobs whose end has an effect in the graph.
    var endsJobs: Bool { leases[0] != nil }
}
