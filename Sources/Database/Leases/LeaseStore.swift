/// Leases, for work that only one process may do at a time.
///
/// An end in time lets another owner take over; the lease epoch makes it safe. A clock that jumps may end a lease too
/// early without its owner's knowledge. Its later writes carry an old epoch and are refused.
package struct LeaseStore: Sendable {
    let database: any GraphDatabase

    package init(database: any GraphDatabase) { self.database = database }

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension LeaseStore {
    /// Takes a lease that has no owner, whose end has passed, or whose owner is gone.
    ///
    /// - Parameters:
    ///   - length: milliseconds until its end.
    ///   - silent: a lease whose owner has not renewed it for its whole length; it is taken if it is still the same.
    /// - Throws: ``LeaseHeld``.
    package func acquire(
        _ name: String, for owner: Int64, length: Int64, from former: FormerOwner, silent: Lease? = nil
    ) async throws -> Lease {
        try await database.write { transaction in
            let last = try Reader(transaction).lease(name)
            if let last, former == .mayLive, last.endsAt > transaction.now, last != silent {
                throw LeaseHeld(lease: last)
            }
            return try Writer(transaction).pass(name, to: owner, length: length, after: last)
        }
    }

    /// Takes a lease from `seen`, whatever the clocks say, if it is unchanged.
    ///
    /// - Parameters:
    ///   - length: milliseconds until its end.
    ///   - seen: the lease that may be taken; nil: there was none.
    /// - Throws: ``LeaseHeld`` if it has changed since.
    package func acquire(_ name: String, for owner: Int64, length: Int64, ifStill seen: Lease?) async throws -> Lease {
        try await database.write { transaction in
            let last = try Reader(transaction).lease(name)
            if let last, last != seen { throw LeaseHeld(lease: last) }
            return try Writer(transaction).pass(name, to: owner, length: length, after: last)
        }
    }

    /// Moves the end of a lease to `length` milliseconds from now, even after it has passed if nobody has taken the
    /// lease. The row changes even if the clock stands still, so that others see that its owner lives.
    ///
    /// - Throws: ``LeaseLost``.
    package func renew(_ name: String, _ epoch: Int64, length: Int64) async throws {
        try await database.write { transaction in
            let count = try transaction.executeCounting(
                """
                UPDATE lease SET ends_at = CASE ends_at WHEN ?3 THEN ?3 + 1 ELSE ?3 END
                WHERE name = ?1 AND incarnation = ?2
                """,
                [.text(name), .integer(epoch), .integer(transaction.now + length)])
            guard count == 1 else { throw LeaseLost(name: name) }
        }
    }

    /// Ends a lease, if it is still of this epoch. The epoch rises, so that late writes of the owner are refused.
    package func release(_ name: String, _ epoch: Int64) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE lease SET incarnation = incarnation + 1, ends_at = 0 WHERE name = ?1 AND incarnation = ?2",
                [.text(name), .integer(epoch)])
        }
    }

    package func lease(_ name: String) async throws -> Lease? {
        try await database.read { try Reader($0).lease(name) }
    }

    /// All leases, by name.
    func all() async throws -> [String: Lease] {
        let query = Reader.queryForAll
        let all = try await database.read {
            try $0.rows(query.sql, query.arguments) { Lease(name: $0.text(3), row: $0) }
        }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }
}

extension LeaseStore.Reader {
    func lease(_ name: String) throws -> Lease? {
        let query = Self.query(name)
        return try reader.first(query.sql, query.arguments) { Lease(name: name, row: $0) }
    }

    /// The query for all leases, whose rows have the name in their last column.
    static let queryForAll = SQLQuery("SELECT owner, incarnation, ends_at, name FROM lease ORDER BY name", [])

    /// The query for a lease, each row of which ``Lease/init(name:row:)`` reads.
    package static func query(_ name: String) -> SQLQuery {
        SQLQuery("SELECT owner, incarnation, ends_at FROM lease WHERE name = ?1", [.text(name)])
    }
}

extension LeaseStore.Writer {
    /// Makes `owner` the next owner, with the next epoch.
    fileprivate func pass(_ name: String, to owner: Int64, length: Int64, after last: Lease?) throws -> Lease {
        let next = Lease(
            name: name, owner: owner, epoch: (last?.epoch ?? 0) + 1, endsAt: transaction.now + length)
        try transaction.execute(
            """
            INSERT INTO lease (name, owner, incarnation, ends_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (name) DO UPDATE
            SET owner = excluded.owner, incarnation = excluded.incarnation, ends_at = excluded.ends_at
            """,
            [.text(name), .integer(owner), .integer(next.epoch), .integer(next.endsAt)])
        return next
    }

    /// Refuses the writes of the transaction unless the epoch of each is the lease's latest. Their ends do not matter:
    /// as long as nobody has taken a lease, nobody else writes.
    ///
    /// - Throws: ``LeaseLost``.
    package func require(_ leases: [LeaseStamp]) throws {
        let queries = Self.epochsQuery.queries(leases.map { .text($0.name) })
        let found = Set(
            try transaction.rows(of: queries) { LeaseStamp(name: $0.text(0), epoch: $0.integer(1)) }.joined())
        for lease in leases where !found.contains(lease) { throw LeaseLost(name: lease.name) }
    }

    private static let epochsQuery = ListQuery { "SELECT name, incarnation FROM lease WHERE name IN (\($0))" }
}
