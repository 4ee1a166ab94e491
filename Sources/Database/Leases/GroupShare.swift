/// The share of one process in work that is divided into groups, each of which has a lease of its own.
package struct GroupShare: Sendable {
    package let groups: GroupSet
    /// The groups of all processes.
    package let all: GroupSet
    /// The leases of ``groups``.
    package let leases: [LeaseStamp]

    package init(groups: GroupSet, all: GroupSet, leases: [LeaseStamp]) {
        (self.groups, self.all, self.leases) = (groups, all, leases)
    }

    /// The whole work as one group.
    package init(whole lease: LeaseStamp) {
        self.init(groups: GroupSet(0), all: GroupSet(0), leases: [lease])
    }

    package var isWhole: Bool { groups == all }
}
