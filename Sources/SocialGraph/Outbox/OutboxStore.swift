import Database

/// Jobs, committed with the acts that caused them.
package struct OutboxStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension OutboxStore {
    /// Jobs above `cursor` in commit order. Ids are assigned in commit order by any writing process, so a reader that
    /// continues after the last id it saw misses none.
    package func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        let query = Self.query(above: cursor, limit: limit)
        return try await database.read { try $0.rows(query.sql, query.arguments, OutboxJob.init(row:)) }
    }

    static func query(above cursor: JobID?, limit: Int) -> SQLQuery {
        SQLQuery(
            """
            SELECT id, kind, post_id, user_id, position, viewers, progress_author, progress_position, created_at
            FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2
            """, [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))])
    }

    /// Reads the progress of those of `jobs` that are in the outbox, and the settings whose names begin with `prefix`.
    package func progress(
        of jobs: [JobID], settings prefix: String
    ) async throws -> (jobs: [JobID: AudienceCursor], settings: [String: String]) {
        let probes = jobs.map {
            SQLQuery("SELECT progress_author, progress_position FROM outbox WHERE id = ?1", [.integer($0.rawValue)])
        }
        return try await database.read { reader in
            var found: (jobs: [JobID: AudienceCursor], settings: [String: String]) = ([:], [:])
            try reader.fetch(probes + [SettingStore.Reader.query(prefix: prefix)]) { index, row in
                if index < jobs.count {
                    found.jobs[jobs[index]] = AudienceCursor(author: row.integer(0), position: row.integer(1))
                } else {
                    found.settings[row.text(0)] = row.text(1)
                }
                return true
            }
            return found
        }
    }

    package func enqueueDrop(of viewers: [UserID]) async throws {
        try await database.write { try Writer($0).enqueue(.evict(viewers: viewers)) }
    }

    package func enqueueBuild(of viewers: [UserID]) async throws {
        try await database.write { try Writer($0).enqueue(.build(viewers: viewers)) }
    }

    /// Number of jobs and the creation time (milliseconds since 1970) of the oldest.
    package func outboxDepth() async throws -> (pending: Int64, oldest: Int64?) {
        try await database.read { reader in
            let pending = try reader.first("SELECT COUNT(*) FROM outbox", []) { $0.integer(0) } ?? 0
            let oldest = try reader.first("SELECT created_at FROM outbox ORDER BY id LIMIT 1", []) { $0.integer(0) }
            return (pending, oldest)
        }
    }

    /// The name of the lease on the outbox and on the windows that it maintains.
    package static let lease = "outbox"

    /// Takes the lease on the outbox for a new lease epoch of the serving process. Writes of an earlier epoch are
    /// refused (`LeaseLost`).
    ///
    /// - Throws: `LeaseHeld` if another process goes on renewing it.
    package func takeLease(from former: FormerOwner, terms: LeaseTerms = .serving) async throws -> HeldLease {
        try await LeaseStore(database: database).take(Self.lease, from: former, terms: terms)
    }

    /// Stores `settings` by their names under `leaseEpoch`.
    package func store(_ settings: [String: String], leaseEpoch: Int64) async throws {
        try await database.write { transaction in
            try LeaseStore.Writer(transaction).require(Self.lease, leaseEpoch)
            for (name, value) in settings { try SettingStore.Writer(transaction).store(value, as: name) }
        }
    }

    /// Acknowledges jobs under `leaseEpoch`: removes finished ones and stores the progress of others.
    package func acknowledgeJobs(
        leaseEpoch: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)] = []
    ) async throws {
        try await database.write { transaction in
            try LeaseStore.Writer(transaction).require(Self.lease, leaseEpoch)
            for job in finished {
                try transaction.execute(
                    DeliveryStore.receiptStatement, [.integer(job.rawValue), .integer(transaction.now)])
                try transaction.execute("DELETE FROM outbox WHERE id = ?1", [.integer(job.rawValue)])
            }
            for (job, cursor) in progressed {
                try transaction.execute(
                    "UPDATE outbox SET progress_author = ?2, progress_position = ?3 WHERE id = ?1",
                    [.integer(job.rawValue), .integer(cursor.author), .integer(cursor.position)])
            }
        }
    }
}

extension OutboxStore.Writer {
    /// Puts a job into the outbox of the running transaction.
    package func enqueue(_ work: OutboxJob.Work) throws {
        let job = OutboxJob(id: JobID(rawValue: try transaction.nextID()), work: work, createdAt: transaction.now)
        let columns = work.columns
        try transaction.insert(
            Self.rows,
            [
                .integer(job.id.rawValue), .text(work.kind.rawValue), columns.post, columns.user, columns.position,
                columns.viewers, .integer(job.createdAt),
            ])
        transaction.announce(job)
    }

    private static let rows = RowInsertion(
        into: "outbox",
        [
            "id": .integer, "kind": .text, "post_id": .integer, "user_id": .integer, "position": .integer,
            "viewers": .blob, "created_at": .integer,
        ])
}
