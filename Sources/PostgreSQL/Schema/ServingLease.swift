import Database

/// The leases whose owners serve the database, and use its tables in their present form.
package struct ServingLease: Sendable {
    /// The name of the lease of a server that is alone.
    let name: String
    /// The first part of the names of the leases of nodes that serve together.
    let nodes: String
    /// A former owner that has provably ended; nil: none is known.
    let endedOwner: Int64?

    package init(name: String, nodes: String = ServingNode.leasePrefix, endedOwner: Int64?) {
        self.name = name
        self.nodes = nodes
        self.endedOwner = endedOwner
    }

    private static let condition = "WHERE name = ?1 OR substr(name, 1, length(?2)) = ?2"

    private var arguments: [SQLValue] { [.text(name), .text(nodes)] }

    var query: ServerCommand {
        ServerCommand("SELECT owner, incarnation, ends_at, name FROM lease \(Self.condition)", arguments)
    }

    /// Ends the leases for their owners, as ``LeaseStore/release(_:_:)`` does.
    var end: ServerCommand {
        ServerCommand("UPDATE lease SET incarnation = incarnation + 1, ends_at = 0 \(Self.condition)", arguments)
    }
}

/// Watches the leases of other servers. An owner that renews its lease is alive.
struct ServingWatch {
    /// Seconds between two looks.
    static let pause = 0.1

    private var seen: [String: (lease: Lease, at: ContinuousClock.Instant)] = [:]

    /// Returns whether all leases are free: they have no owner, have ended, or have not been renewed for their whole
    /// length (the end may lie in a time that a clock has jumped to).
    ///
    /// - Parameters:
    ///   - result: that of ``ServingLease/query``.
    ///   - now: milliseconds since 1970.
    /// - Throws: ``DatabaseError`` if an owner has renewed its lease since the first look.
    mutating func areFree(_ result: ServerResult, of serving: ServingLease, now: Int64) throws -> Bool {
        var areFree = true
        for lease in Self.leases(result) where lease.endsAt > now && lease.owner != serving.endedOwner {
            areFree = try isSilent(lease) && areFree
        }
        return areFree
    }

    private mutating func isSilent(_ lease: Lease) throws -> Bool {
        guard let seen = seen[lease.name] else {
            self.seen[lease.name] = (lease, .now)
            return false
        }
        guard seen.lease == lease else { throw ServerRequirements.servedTables }
        return seen.at.duration(to: .now) >= .milliseconds(LeaseTerms.serving.length)
    }

    private static func leases(_ result: ServerResult) -> [Lease] {
        var leases: [Lease] = []
        result.forEachRow { row in
            leases.append(Lease(name: row.text(3), row: row))
            return true
        }
        return leases
    }
}
