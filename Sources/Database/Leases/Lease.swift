import Foundation

/// The right of one owner to do the work that `name` stands for, as stored in the database.
package struct Lease: Sendable, Equatable {
    package let name: String
    /// A random number of the process that took it.
    package let owner: Int64
    /// The lease epoch: each owner gets a higher one than all before, and its writes carry it.
    package let epoch: Int64
    /// Milliseconds since 1970 at which others may take it.
    package let endsAt: Int64

    /// True if its owner has given it up.
    package var isReleased: Bool { endsAt == 0 }
}

extension Lease {
    /// - Parameter row: a row of ``LeaseStore/Reader/query(_:)``.
    package init(name: String, row: any SQLRow) {
        self.init(name: name, owner: row.integer(0), epoch: row.integer(1), endsAt: row.integer(2))
    }
}

/// A lease of one owner, as its writes carry it.
package struct LeaseStamp: Sendable, Hashable {
    package let name: String
    package let epoch: Int64

    package init(name: String, epoch: Int64) { (self.name, self.epoch) = (name, epoch) }
}

/// The state of the lease's former owner.
package enum FormerOwner: Sendable {
    /// Its lease holds until its end.
    case mayLive
    /// The former owner has provably ended, for instance because the lock of the data directory is free: its lease is
    /// free at once.
    case isDead
}

/// Durations of a lease, in milliseconds.
package struct LeaseTerms: Sendable {
    package let length: Int64
    /// Time after which the owner renews.
    package let renewal: Int64

    /// Time before the end at which the owner stops, so that work it has begun is over by the end.
    package var margin: Int64 { length / 6 }

    /// - Parameter renewal: a third of `length` by default, so that one renewal may fail.
    package init(length: Int64, renewal: Int64? = nil) {
        self.length = length
        self.renewal = renewal ?? length / 3
    }

    /// The time of the renewal after that at `time`, by the same clock: at a multiple of ``renewal``, so that one
    /// commit renews the leases of a process.
    func nextRenewal(after time: Int64) -> Int64 { (time / renewal + 1) * renewal }

    /// The terms of a server: longer than a server is ever busy, shorter than users wait.
    package static let serving = LeaseTerms(length: 30 * Milliseconds.second)
    /// The terms of a node's heartbeat: a node that has not committed one for that long serves nothing.
    package static let node = LeaseTerms(length: 5 * Milliseconds.second, renewal: Milliseconds.second)
    /// The terms of a duty that passes from node to node.
    package static let duty = LeaseTerms(length: 3 * Milliseconds.second, renewal: Milliseconds.second)
    /// Terms so long that no renewal is due: for tests and measurements.
    package static let lasting = LeaseTerms(length: Milliseconds.day)
}

/// Another owner has the lease.
package struct LeaseHeld: Error, CustomStringConvertible {
    package let lease: Lease

    package var description: String {
        let end = Date(timeIntervalSince1970: Double(lease.endsAt) / 1_000).ISO8601Format()
        return
            "Another server holds the lease \"\(lease.name)\" until \(end), and renews it while it runs. Stop it first."
    }
}

/// The lease has passed to another owner, or was released: nothing was written.
package struct LeaseLost: Error, CustomStringConvertible {
    package let name: String

    package var description: String { "The lease \"\(name)\" has passed to another server." }
}
