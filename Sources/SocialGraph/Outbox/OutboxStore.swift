/// Jobs that were committed with what caused them.
package struct OutboxStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension OutboxStore {
    /// Jobs above `cursor` in commit order. Ids are allocated in commit order by whichever process writes, so a
    /// reader that goes on from the last id it saw misses none.
    package func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        try await database.read { reader in
            try reader.rows(
                """
                SELECT id, kind, post_id, user_id, position, viewers, progress_author, progress_position, created_at
                FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2
                """,
                [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))], OutboxJob.init(row:))
        }
    }

    package func enqueueDrop(of viewers: [UserID]) async throws {
        try await database.write { try Writer($0).enqueue(.drop(viewers: viewers)) }
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

    /// Takes the lease on the outbox for a new incarnation of the serving process and returns its number. What an
    /// earlier incarnation still tries to write into the outbox afterwards is refused (``OutboxLeaseLost``).
    package func leaseOutbox() async throws -> Int64 {
        try await database.write { transaction in
            let last = try SettingStore.Reader(transaction).setting("outbox_incarnation").flatMap(Int64.init) ?? 0
            try SettingStore.Writer(transaction).store(String(last + 1), as: "outbox_incarnation")
            return last + 1
        }
    }

    /// Removes finished jobs and stores how far others have come, under the lease `incarnation`.
    package func settleOutbox(
        incarnation: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)] = []
    ) async throws {
        try await database.write { transaction in
            guard try SettingStore.Reader(transaction).setting("outbox_incarnation") == String(incarnation) else {
                throw OutboxLeaseLost()
            }
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
    func enqueue(_ work: OutboxJob.Work) throws {
        let job = OutboxJob(id: JobID(rawValue: try transaction.nextID()), work: work, createdAt: transaction.now)
        let columns = work.columns
        try transaction.execute(
            """
            INSERT INTO outbox (id, kind, post_id, user_id, position, viewers, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(job.id.rawValue), .text(columns.kind), columns.post, columns.user, columns.position,
                columns.viewers, .integer(job.createdAt),
            ]
        )
        transaction.announce(job)
    }
}

/// Another incarnation of the serving process holds the lease.
package struct OutboxLeaseLost: Error {}

extension OutboxJob.Work {
    fileprivate typealias Columns = (
        kind: String, post: SQLValue, user: SQLValue, position: SQLValue, viewers: SQLValue
    )

    fileprivate var columns: Columns {
        switch self {
        case .push(let post, let author): ("push", .post(post), .user(author), .null, .null)
        case .unpush(let post, let author): ("unpush", .post(post), .user(author), .null, .null)
        case .share(let entry, let actor): ("share", .post(entry.post), .user(actor), .position(entry.position), .null)
        case .unshare(let entry, let actor):
            ("unshare", .post(entry.post), .user(actor), .position(entry.position), .null)
        case .refresh(let viewer): ("refresh", .null, .user(viewer), .null, .null)
        case .drop(let viewers): ("drop", .null, .null, .null, .blob(ViewerListCoding.encode(viewers)))
        // No list: everybody.
        case .dropAll: ("drop", .null, .null, .null, .null)
        case .build(let viewers): ("build", .null, .null, .null, .blob(ViewerListCoding.encode(viewers)))
        case .land(let author, let since): ("land", .null, .user(author), .position(since), .null)
        case .refreshFollowers(let user): ("followers", .null, .user(user), .null, .null)
        }
    }
}

extension OutboxJob {
    init(row: any SQLRow) throws {
        let user = UserID(rawValue: row.optionalInteger(3) ?? 0)
        let post = PostID(rawValue: row.optionalInteger(2) ?? 0)
        let entry = FeedEntry(position: FeedPosition(rawValue: row.optionalInteger(4) ?? 0), post: post)
        let kind = row.text(1)
        let work: Work =
            switch kind {
            case "push": .push(post: post, author: user)
            case "unpush": .unpush(post: post, author: user)
            case "share": .share(entry: entry, actor: user)
            case "unshare": .unshare(entry: entry, actor: user)
            case "refresh": .refresh(viewer: user)
            case "drop": row.optionalBlob(5).map { .drop(viewers: ViewerListCoding.decode($0)) } ?? .dropAll
            case "build": .build(viewers: ViewerListCoding.decode(row.blob(5)))
            case "land": .land(author: user, since: entry.position)
            case "followers": .refreshFollowers(of: user)
            default: throw GraphError.storage(detail: "outbox row of unknown kind \(kind)")
            }
        self.init(
            id: JobID(rawValue: row.integer(0)), work: work,
            progress: AudienceCursor(author: row.integer(6), position: row.integer(7)), createdAt: row.integer(8))
    }
}
