import Database

/// Likes of posts.
package struct LikeStore: Sendable {
    let database: any GraphDatabase

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension LikeStore {
    /// Likes a post of any author; returns the counts after it. Idempotent. The caller checks that `user` may see the
    /// post. Throws ``GraphError/accountNotFound`` and ``GraphError/postNotFound``.
    @discardableResult package func like(_ post: PostID, by user: UserID) async throws -> EngagementCounts {
        try await database.write { transaction in
            let facts = try transaction.exist([
                AccountStore.Reader.probe(user), PostStore.Reader.liveProbe(post),
                SQLQuery(Self.likeProbe, [.user(user), .post(post)]),
            ])
            guard facts[0] else { throw GraphError.accountNotFound }
            guard facts[1] else { throw GraphError.postNotFound }
            if !facts[2] {
                let id = try transaction.nextID()
                try transaction.execute(
                    "INSERT INTO post_like (id, post_id, user_id) VALUES (?1, ?2, ?3)",
                    [.integer(id), .post(post), .user(user)])
                try EngagementStore.Writer(transaction).count(1, .likes, of: post, by: user, act: id)
                try NotificationStore.Writer(transaction).notifyAuthors(of: post, .like, by: user)
                try transaction.record(.likesChanged(post, by: user))
            }
            return try EngagementStore.Reader(transaction).counts(of: post)
        }
    }

    /// Removes a like; returns the counts after it. Idempotent. Throws ``GraphError/postNotFound``.
    @discardableResult package func unlike(_ post: PostID, by user: UserID) async throws -> EngagementCounts {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireLive(post)
            if let id = try transaction.first(Self.likeProbe, [.user(user), .post(post)], { $0.integer(0) }) {
                try Writer(transaction).deleteLike(id, of: post, by: user)
            }
            return try EngagementStore.Reader(transaction).counts(of: post)
        }
    }

    /// The posts of a list that a user, the first argument, likes.
    package static let likedAmong = ListQuery(after: 1) {
        "SELECT post_id FROM post_like WHERE user_id = ?1 AND post_id IN (\($0))"
    }

    static let likeProbe = "SELECT id FROM post_like WHERE user_id = ?1 AND post_id = ?2"

    package func likeID(of post: PostID, by user: UserID) async throws -> Int64? {
        try await database.read { try $0.first(Self.likeProbe, [.user(user), .post(post)]) { $0.integer(0) } }
    }

    /// Likes of `post` by people whom `viewer` sees in lists, the latest first; nil: people whom everybody sees.
    package func likes(
        of post: PostID, for viewer: UserID? = nil, below cursor: Int64?, limit: Int
    ) async throws -> Page<Like, Int64> {
        try await likes(Self.likesOfPostQuery, [.post(post), .optional(viewer)], below: cursor, limit: limit)
    }

    static let likesOfPostQuery = """
        SELECT l.id, l.post_id, l.user_id, a.username FROM post_like l JOIN account a ON a.id = l.user_id
        WHERE l.post_id = ?1 AND l.id < ?3 AND \(BlockAndMuteStore.listed("a", to: "?2")) ORDER BY l.id DESC LIMIT ?4
        """

    /// Likes by `user`, the latest first.
    package func likes(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<Like, Int64> {
        try await likes(Self.likesByUserQuery, [.user(user)], below: cursor, limit: limit)
    }

    static let likesByUserQuery = """
        SELECT l.id, l.post_id, l.user_id, a.username FROM post_like l JOIN account a ON a.id = l.user_id
        WHERE l.user_id = ?1 AND l.id < ?2 ORDER BY l.id DESC LIMIT ?3
        """

    private func likes(
        _ query: String, _ arguments: [SQLValue], below cursor: Int64?, limit: Int
    ) async throws -> Page<Like, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                query, arguments + [.integer(cursor ?? .max), .integer(Int64(limit + 1))]
            ) {
                Like(
                    id: $0.integer(0), post: PostID(rawValue: $0.integer(1)), user: UserID(rawValue: $0.integer(2)),
                    username: $0.text(3))
            }
            return Page(rows: rows, limit: limit, cursor: \.id)
        }
    }
}

extension LikeStore.Writer {
    func deleteLike(_ id: Int64, of post: PostID, by user: UserID) throws {
        try transaction.execute("DELETE FROM post_like WHERE id = ?1", [.integer(id)])
        try EngagementStore.Writer(transaction).count(-1, .likes, of: post, by: user, act: id)
        try NotificationStore.Writer(transaction).withdrawNotifications(.like, of: id, about: post, by: user)
        try transaction.record(.likesChanged(post, by: user))
    }
}
