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
            SELECT id, kind, post_id, user_id, position, viewers, progress_author, progress_position, created_at,
                done_groups
            FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2
            """, [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))])
    }

    /// Reads the progress of those of `jobs` that are in the outbox, and ``LogLook/windows``.
    package func progress(of jobs: [JobID]) async throws -> (jobs: [JobID: JobProgress], windows: Int64) {
        let probes = Self.progressQuery.queries(jobs.map { .integer($0.rawValue) })
        return try await database.read { reader in
            var found: (jobs: [JobID: JobProgress], windows: Int64) = ([:], 0)
            try reader.fetch(probes + [LogLook.windowsQuery]) { index, row in
                if index < probes.count {
                    let cursor = AudienceCursor(author: row.integer(0), position: row.integer(1))
                    found.jobs[JobID(rawValue: row.integer(3))] = (cursor, GroupSet(rawValue: row.integer(2)))
                } else {
                    found.windows = LogLook.windows(row)
                }
                return true
            }
            return found
        }
    }

    static let progressQuery = ListQuery { list in
        "SELECT progress_author, progress_position, done_groups, id FROM outbox WHERE id IN (\(list))"
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

    /// The name of the lease on a group of windows, and on its share of the outbox, if there are several.
    package static func lease(ofGroup group: Int, of count: Int) -> String {
        count == 1 ? lease : "\(lease).\(group)"
    }

    /// Takes the lease on the outbox for a new lease epoch of the serving process. Writes of an earlier epoch are
    /// refused (`LeaseLost`).
    ///
    /// - Throws: `LeaseHeld` if another process goes on renewing it.
    package func takeLease(from former: FormerOwner, terms: LeaseTerms = .serving) async throws -> HeldLease {
        try await LeaseStore(database: database).take(Self.lease, from: former, terms: terms)
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
