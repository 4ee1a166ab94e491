extension GraphStore {
    /// Puts a job into the outbox of the running transaction.
    static func enqueue(_ work: OutboxJob.Work, in transaction: any GraphTransaction) throws {
        let job = OutboxJob(id: JobID(rawValue: try transaction.nextID()), work: work, createdAt: transaction.now)
        let columns = work.columns
        try transaction.execute(
            """
            INSERT INTO outbox (id, kind, post_id, user_id, followee_id, viewers, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(job.id.rawValue), .text(columns.kind), columns.post, columns.user, columns.followee,
                columns.viewers, .integer(job.createdAt),
            ]
        )
        transaction.announce(job)
    }

    /// Jobs above `cursor` in commit order. Ids are allocated in commit order by whichever process writes, so a
    /// reader that goes on from the last id it saw misses none.
    package func outboxJobs(above cursor: JobID?, limit: Int) async throws -> [OutboxJob] {
        try await database.read { reader in
            try reader.rows(
                """
                SELECT id, kind, post_id, user_id, followee_id, viewers, progress_author, progress_position, created_at
                FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2
                """,
                [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))], OutboxJob.init(row:))
        }
    }

    package func enqueueDrop(of viewers: [UserID]) async throws {
        try await database.write { try Self.enqueue(.drop(viewers: viewers), in: $0) }
    }

    package func enqueueBuild(of viewers: [UserID]) async throws {
        try await database.write { try Self.enqueue(.build(viewers: viewers), in: $0) }
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
            let last = try Self.setting("outbox_incarnation", transaction).flatMap(Int64.init) ?? 0
            try Self.store(String(last + 1), as: "outbox_incarnation", in: transaction)
            return last + 1
        }
    }

    /// Removes finished jobs and stores how far others have come, under the lease `incarnation`.
    package func settleOutbox(
        incarnation: Int64, finished: [JobID], progressed: [(JobID, AudienceCursor)] = []
    ) async throws {
        try await database.write { transaction in
            guard try Self.setting("outbox_incarnation", transaction) == String(incarnation) else {
                throw OutboxLeaseLost()
            }
            for job in finished {
                try transaction.execute("DELETE FROM outbox WHERE id = ?1", [.integer(job.rawValue)])
            }
            for (job, cursor) in progressed {
                try transaction.execute(
                    "UPDATE outbox SET progress_author = ?2, progress_position = ?3 WHERE id = ?1",
                    [.integer(job.rawValue), .integer(cursor.author), .integer(cursor.position)])
            }
        }
    }

    /// The posts of `posts` that are live, and up to `limit` members of the audience of `author`'s post past
    /// `cursor`, all on one snapshot. The audience of a post is each of its authors and their followers.
    package func audience(of post: PostID, past cursor: AudienceCursor, limit: Int) async throws -> AudienceChunk {
        try await database.read { reader in
            let authors = try reader.rows(Self.audienceAuthorsQuery, [.post(post), .integer(cursor.author)]) { row in
                (id: row.integer(0), isLive: row.optionalInteger(1) == nil)
            }
            // The authors' own windows come first: a writer reads its own write.
            var members = cursor == .start ? authors.map { UserID(rawValue: $0.id) } : []
            var end: AudienceCursor?
            for author in authors {
                var position = author.id == cursor.author ? cursor.position : 0
                try reader.forEach(
                    Self.audienceQuery,
                    [.integer(author.id), .integer(position), .integer(Int64(max(limit - members.count, 0)))]
                ) { row in
                    members.append(UserID(rawValue: row.integer(0)))
                    position = row.integer(1)
                    return true
                }
                if members.count >= limit {
                    end = AudienceCursor(author: author.id, position: position)
                    break
                }
            }
            return AudienceChunk(isLive: authors.first?.isLive ?? false, members: members, next: end)
        }
    }

    static let audienceAuthorsQuery = """
        SELECT p.author_id, p.deleted_at FROM post p WHERE p.id = ?1 AND p.author_id >= ?2
        UNION ALL
        SELECT c.user_id, p.deleted_at FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.post_id = ?1 AND c.status = 'accepted' AND c.user_id >= ?2
        ORDER BY 1
        """

    static let audienceQuery = """
        SELECT follower_id, position FROM follow WHERE followee_id = ?1 AND position > ?2 ORDER BY position LIMIT ?3
        """
}

/// A part of a post's audience.
package struct AudienceChunk: Sendable {
    /// False once the post is deleted, or never was.
    package let isLive: Bool
    /// Authors and followers. A user who follows two authors of the post comes twice, harmlessly.
    package let members: [UserID]
    /// Where the next chunk starts; nil at the end of the audience.
    package let next: AudienceCursor?
}

/// Another incarnation of the serving process holds the lease.
package struct OutboxLeaseLost: Error {}

extension OutboxJob.Work {
    fileprivate typealias Columns = (
        kind: String, post: SQLValue, user: SQLValue, followee: SQLValue, viewers: SQLValue
    )

    fileprivate var columns: Columns {
        switch self {
        case .push(let post, let author): ("push", .post(post), .user(author), .null, .null)
        case .unpush(let post, let author): ("unpush", .post(post), .user(author), .null, .null)
        case .edge(let follower, let followee): ("edge", .null, .user(follower), .user(followee), .null)
        case .drop(let viewers): ("drop", .null, .null, .null, .blob(ViewerListCoding.encode(viewers)))
        case .build(let viewers): ("build", .null, .null, .null, .blob(ViewerListCoding.encode(viewers)))
        }
    }
}

extension OutboxJob {
    init(row: any SQLRow) throws {
        let user = UserID(rawValue: row.optionalInteger(3) ?? 0)
        let post = PostID(rawValue: row.optionalInteger(2) ?? 0)
        let kind = row.text(1)
        let work: Work =
            switch kind {
            case "push": .push(post: post, author: user)
            case "unpush": .unpush(post: post, author: user)
            case "edge": .edge(follower: user, followee: UserID(rawValue: row.optionalInteger(4) ?? 0))
            case "drop": .drop(viewers: ViewerListCoding.decode(row.blob(5)))
            case "build": .build(viewers: ViewerListCoding.decode(row.blob(5)))
            default: throw GraphError.storage(detail: "outbox row of unknown kind \(kind)")
            }
        self.init(
            id: JobID(rawValue: row.integer(0)), work: work,
            progress: AudienceCursor(author: row.integer(6), position: row.integer(7)), createdAt: row.integer(8))
    }
}
