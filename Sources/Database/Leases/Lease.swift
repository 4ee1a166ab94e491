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
}

extension Lease {
    /// - Parameter row: a row of ``LeaseStore/Reader/query(_:)``.
    package init(name: String, row: any SQLRow) {
        self.init(name: name, owner: row.integer(0), epoch: row.integer(1), endsAt: row.integer(2))
    }
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

    /// Time after which the owner renews: a third, so that one renewal may fail.
    package var renewal: Int64 { length / 3 }
    /// Time before the end at which the owner stops, so that work it has begun is over by the end.
    package var margin: Int64 { length / 6 }

    package init(length: Int64) { self.length = length }

    /// The terms of a server: longer than a server is ever busy, shorter than users wait.
    package static let serving = LeaseTerms(length: 30 * Milliseconds.second)
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
