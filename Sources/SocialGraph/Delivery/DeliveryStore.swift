import Database

/// The progress of a post's delivery.
package struct DeliveryReceipt: Sendable, Equatable {
    /// The authors and all their followers; a follower of two authors counts twice.
    package let audience: Int64
    /// Members of the audience whose stored window has been processed, followers of hubs included.
    package let delivered: Int64
    /// Members who follow a hub and read the post from its own feed, without a delivery.
    package let pulled: Int64
    /// The fan-out is under way.
    package let isPending: Bool
    /// Times of the acknowledgement and of the last delivery, in milliseconds since 1970; nil while under way, and for
    /// a post whose receipt was not kept.
    package let queuedAt: Int64
    package let finishedAt: Int64?
}

/// Delivery receipts of posts.
package struct DeliveryStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension DeliveryStore {
    /// The receipt of a live post, for `reader`, who is an author or moderates the post's community.
    /// Throws ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func deliveryReceipt(of post: PostID, for reader: UserID) async throws -> DeliveryReceipt {
        try await database.read { database in
            let row = try database.first(
                "SELECT community_id, created_at FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(post)]
            ) { (community: $0.optionalInteger(0).map(CommunityID.init(rawValue:)), createdAt: $0.integer(1)) }
            guard let row else { throw GraphError.postNotFound }
            let authors = try PostStore.Reader(database).authors(of: post)
            let moderates = try row.community.flatMap { try CommunityStore.Reader(database).role(of: reader, in: $0) }?
                .isModerating
            guard authors.contains(reader) || moderates == true else { throw GraphError.notAuthor }
            let finished = try database.first(
                "SELECT audience, pulled, queued_at, finished_at FROM delivery WHERE post_id = ?1", [.post(post)]
            ) {
                DeliveryReceipt(
                    audience: $0.integer(0), delivered: $0.integer(0), pulled: $0.integer(1), isPending: false,
                    queuedAt: $0.integer(2), finishedAt: $0.integer(3))
            }
            return try finished ?? Reader(database).receipt(of: post, authors: authors, createdAt: row.createdAt)
        }
    }

    /// Writes the receipts of the pushes among the jobs of the list that are acknowledged for their last group, with
    /// the audiences of that time. `EXISTS` would let PostgreSQL walk an index of all jobs in the order of posts.
    static let receipts = ListQuery(after: 3) { list in
        """
        INSERT INTO delivery (post_id, audience, pulled, queued_at, finished_at)
        SELECT o.post_id,
            (SELECT SUM(a.followers_count) + COUNT(*)
             FROM author_post ap JOIN account a ON a.id = ap.author_id WHERE ap.post_id = o.post_id),
            (SELECT COALESCE(SUM(a.followers_count), 0) FROM author_post ap JOIN hub h ON h.user_id = ap.author_id
                JOIN account a ON a.id = ap.author_id
             WHERE ap.post_id = o.post_id AND h.phase = \(HubPhase.pulled.literal)),
            o.created_at, ?1
        FROM outbox o WHERE o.id IN (\(list)) AND o.kind = \(OutboxJob.Work.Kind.push.literal)
            AND (o.done_groups | ?2) & ?3 = ?3 AND (SELECT MIN(post_id) FROM author_post WHERE post_id = o.post_id) > 0
        ON CONFLICT (post_id) DO NOTHING
        """
    }
}

extension DeliveryStore.Reader {
    /// The receipt of a post under way: members before the job's cursor count as delivered.
    fileprivate func receipt(of post: PostID, authors: [UserID], createdAt: Int64) throws -> DeliveryReceipt {
        let job = try reader.first(Self.jobOfPostQuery, [.post(post)]) {
            (author: $0.integer(0), position: $0.integer(1), createdAt: $0.integer(2))
        }
        var (audience, delivered, pulled) = (Int64(0), Int64(0), Int64(0))
        let hubs = try HubStore.Reader(reader).hubs(among: authors)
        for (author, followers) in zip(authors, try followersCounts(of: authors)) {
            let isHub = hubs[author]?.phase == .pulled
            audience += followers + 1
            if isHub { pulled += followers }
            switch job {
            case let job? where author.rawValue > job.author:
                delivered += (isHub ? followers : 0) + (job.author > 0 ? 1 : 0)
            case let job? where author.rawValue == job.author:
                delivered += 1 + (isHub ? followers : try count(author, upTo: job.position))
            default: delivered += followers + 1
            }
        }
        return DeliveryReceipt(
            audience: audience, delivered: delivered, pulled: pulled, isPending: job != nil,
            queuedAt: job?.createdAt ?? createdAt, finishedAt: nil)
    }

    static let jobOfPostQuery = """
        SELECT progress_author, progress_position, created_at FROM outbox
        WHERE post_id = ?1 AND kind = \(OutboxJob.Work.Kind.push.literal)
        """

    func followersCounts(of users: [UserID]) throws -> [Int64] {
        try reader.first(
            of: users.map { SQLQuery("SELECT followers_count FROM account WHERE id = ?1", [.user($0)]) }
        ) { $0.integer(0) }.map { $0 ?? 0 }
    }

    private func count(_ author: UserID, upTo position: Int64) throws -> Int64 {
        try reader.first(
            "SELECT COUNT(*) FROM follow WHERE followee_id = ?1 AND position <= ?2",
            [.user(author), .integer(position)]
        ) { $0.integer(0) } ?? 0
    }
}
