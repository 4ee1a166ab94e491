import Database
import SocialGraph

extension LeaseStamp {
    /// A lease on the outbox as a whole.
    package static func outbox(_ epoch: Int64) -> LeaseStamp { LeaseStamp(name: OutboxStore.lease, epoch: epoch) }
}

extension GroupShare {
    /// All windows, under a lease on the outbox as a whole.
    package static func outbox(_ epoch: Int64) -> GroupShare { GroupShare(whole: .outbox(epoch)) }
}
