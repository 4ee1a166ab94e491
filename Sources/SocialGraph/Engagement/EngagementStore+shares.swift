import Database

extension EngagementStore {
    /// Records that `user` has shared a post on another platform; each call is a new share. Returns the share's id and
    /// the counts after it. Throws ``GraphError/accountNotFound`` and ``GraphError/postNotFound``.
    @discardableResult
    package func shareExternally(
        _ post: PostID, by user: UserID, platform: String
    ) async throws -> (id: Int64, counts: EngagementCounts) {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try PostStore.Reader(transaction).requireLive(post)
            let id = try transaction.nextID()
            try transaction.execute(
                "INSERT INTO external_share (id, post_id, user_id, platform) VALUES (?1, ?2, ?3, ?4)",
                [.integer(id), .post(post), .user(user), .text(platform)])
            try Writer(transaction).count(1, .shares, of: post, by: user, act: id)
            try NotificationStore.Writer(transaction).notifyAuthors(of: post, .share, by: user)
            try transaction.record(.sharedExternally(post, by: user))
            return (id, try Reader(transaction).counts(of: post))
        }
    }

    /// External shares by `user`, the latest first.
    package func externalShares(
        by user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<ExternalShare, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.externalSharesQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))]
            ) { ExternalShare(id: $0.integer(0), post: PostID(rawValue: $0.integer(1)), platform: $0.text(2)) }
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }

    static let externalSharesQuery = """
        SELECT id, post_id, platform FROM external_share WHERE user_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """
}
