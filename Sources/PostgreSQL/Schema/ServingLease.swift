import Database

/// The lease whose owner serves the database, and uses its tables in their present form.
package struct ServingLease: Sendable {
    let name: String
    /// A former owner that has provably ended; nil: none is known.
    let endedOwner: Int64?

    package init(name: String, endedOwner: Int64?) {
        self.name = name
        self.endedOwner = endedOwner
    }

    var query: ServerCommand { ServerCommand(LeaseStore.Reader.query(name)) }

    /// Ends the lease for its owner, as ``LeaseStore/release(_:_:)`` does.
    var end: ServerCommand {
        ServerCommand("UPDATE lease SET incarnation = incarnation + 1, ends_at = 0 WHERE name = ?1", [.text(name)])
    }
}

/// Watches the lease of another server. An owner that renews it is alive.
struct LeaseWatch {
    /// Seconds between two looks.
    static let pause = 0.1

    private var seen: (lease: Lease, at: ContinuousClock.Instant)?

    /// Returns whether the lease is free: it has no owner, has ended, or has not been renewed for its whole length
    /// (whose end may lie in a time that a clock has jumped to).
    ///
    /// - Parameters:
    ///   - result: that of ``ServingLease/query``.
    ///   - now: milliseconds since 1970.
    /// - Throws: ``DatabaseError`` if its owner has renewed it since the first look.
    mutating func isFree(_ result: ServerResult, of serving: ServingLease, now: Int64) throws -> Bool {
        guard let lease = Self.lease(serving.name, result) else { return true }
        if lease.endsAt <= now || lease.owner == serving.endedOwner { return true }
        guard let seen else {
            self.seen = (lease, .now)
            return false
        }
        guard seen.lease == lease else { throw ServerRequirements.servedTables }
        return seen.at.duration(to: .now) >= .milliseconds(LeaseTerms.serving.length)
    }

    private static func lease(_ name: String, _ result: ServerResult) -> Lease? {
        var lease: Lease?
        result.forEachRow { row in
            lease = Lease(name: name, row: row)
            return false
        }
        return lease
    }
}
