import Database
import GraphServices
import Logging
import SocialGraph
import Synchronization
import Timeline

/// The duties of one of several nodes at the fan-out: one for each group of windows, of which all nodes have about as
/// many.
final class FanoutDuties: Sendable {
    /// The time between two looks at the share of this node.
    private static let pause = Duration.seconds(1)

    private let balance: FanoutBalance
    private let held = Mutex<Set<Int>>([])
    private let membership: NodeMembership
    private let leases: LeaseStore
    private let looks: LeaseLooks
    private let logger: Logger

    init(groups: Int, _ membership: NodeMembership, in leases: LeaseStore, logger: Logger) {
        balance = FanoutBalance(groups: groups)
        self.membership = membership
        self.leases = leases
        looks = LeaseLooks(leases)
        self.logger = logger
    }

    /// The duty for each group.
    var all: [TimelineService.FanoutDuty] { (0..<balance.groups).map(duty) }

    private func duty(of group: Int) -> TimelineService.FanoutDuty {
        let duty = LeasedDuty(
            OutboxStore.lease(ofGroup: group, of: balance.groups), of: membership.node.id, in: leases, sharing: looks,
            logger: logger,
            mayTake: { [self] free in
                balance.mayTake(free: free, holding: held.withLock(\.count), beside: groupsOfOthers)
            })
        return { [self] work in
            await duty.run { lease in
                self.held.withLock { _ = $0.insert(group) }
                defer { self.held.withLock { _ = $0.remove(group) } }
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { try await work(lease) }
                    tasks.addTask { try await self.waitUntilTooMany(with: group) }
                    defer { tasks.cancelAll() }
                    try await tasks.next()
                }
            }
        }
    }

    /// The number of groups that each of the other nodes has.
    private var groupsOfOthers: [Int] {
        membership.dutiesOfOthers.map { $0.count { $0.hasPrefix(OutboxStore.lease) } }
    }

    /// Throws `DutyHandedOn` once this node has had more than its share for some time and `group` is among the last.
    private func waitUntilTooMany(with group: Int) async throws {
        var looks = 0
        while looks < FanoutBalance.looksBeforeHandingOn {
            try await Task.sleep(for: Self.pause)
            let held = held.withLock { $0.sorted() }
            let surplus = balance.surplus(holding: held.count, beside: groupsOfOthers)
            looks = held.suffix(surplus).contains(group) ? looks + 1 : 0
        }
        throw DutyHandedOn()
    }
}

/// The division of groups among nodes, none of which knows more of the others than the database tells.
struct FanoutBalance: Sendable {
    /// The time for which a free group is left to nodes that have fewer.
    static let patience = Duration.milliseconds(750)
    /// Successive looks, a second apart, at which a node has more than its share before it hands any on: those that
    /// seem to have too few may have died.
    static let looksBeforeHandingOn = 4

    let groups: Int

    /// Returns whether a node takes a group that has been free for `free`: at once if each node should have more than
    /// this one, soon if some should, and any group that nobody else has wanted.
    func mayTake(free: Duration, holding own: Int, beside others: [Int]) -> Bool {
        let (least, most) = shares(of: others.count + 1)
        return own < least || own < most && free >= Self.patience / 2 || free >= Self.patience
    }

    /// Returns the number of groups that a node should hand on: those above what each should have, or some should, as
    /// far as others have less.
    func surplus(holding own: Int, beside others: [Int]) -> Int {
        let (least, most) = shares(of: others.count + 1)
        return [least, most].map { share in
            min(max(0, own - share), others.reduce(0) { $0 + max(0, share - $1) })
        }.max() ?? 0
    }

    /// The numbers of groups that nodes have when all are divided.
    private func shares(of nodes: Int) -> (least: Int, most: Int) { (groups / nodes, (groups + nodes - 1) / nodes) }
}
