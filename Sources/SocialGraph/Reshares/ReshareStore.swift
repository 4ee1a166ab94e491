import Database

/// Reshares of posts.
package struct ReshareStore: Sendable {
    let database: any GraphDatabase

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

extension ReshareStore {
    /// Reshares a post; true if the reshare is new. Idempotent. Followers of `user` whom the post does not reach
    /// otherwise find it at the place of the reshare. The caller checks that `user` may see the post. Throws
    /// ``GraphError/accountNotFound`` and ``GraphError/postNotFound``.
    @discardableResult package func reshare(_ post: PostID, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let facts = try transaction.exist([
                AccountStore.Reader.probe(user), PostStore.Reader.liveProbe(post),
                SQLQuery(Reader.reshareProbe, [.user(user), .post(post)]),
            ])
            guard facts[0] else { throw GraphError.accountNotFound }
            guard facts[1] else { throw GraphError.postNotFound }
            if facts[2] { return false }
            let id = try transaction.nextID()
            try transaction.execute(
                "INSERT INTO reshare (id, user_id, post_id) VALUES (?1, ?2, ?3)",
                [.integer(id), .user(user), .post(post)])
            try transaction.execute(
                """
                INSERT INTO topic_reshare (topic_id, reshare_id, user_id, post_id)
                SELECT topic_id, ?1, ?2, ?3 FROM topic_post WHERE post_id = ?3
                """, [.integer(id), .user(user), .post(post)])
            try EngagementStore.Writer(transaction).count(1, .shares, of: post, by: user, act: id)
            try NotificationStore.Writer(transaction).notifyAuthors(of: post, .share, by: user)
            let entry = FeedEntry(position: FeedPosition(rawValue: id), post: post)
            transaction.touch(.actor(user))
            try OutboxStore.Writer(transaction).enqueue(.addReason(entry: entry, actor: user))
            try transaction.record(.reshared(at: FeedPosition(rawValue: id), post: post))
            return true
        }
    }

    /// Removes a reshare; true if there was one. Idempotent. Throws ``GraphError/postNotFound``.
    @discardableResult package func unreshare(_ post: PostID, by user: UserID) async throws -> Bool {
        try await database.write { transaction in
            try PostStore.Reader(transaction).requireLive(post)
            return try Writer(transaction).unreshare(post, by: user)
        }
    }

    /// The user behind the reshare at `position`; nil: it was removed.
    package func resharer(at position: FeedPosition) async throws -> UserID? {
        try await database.read { reader in
            try reader.first(Reader.resharerProbe, [.position(position)]) {
                UserID(rawValue: $0.integer(0))
            }
        }
    }

    package func reshareID(of post: PostID, by user: UserID) async throws -> Int64? {
        try await database.read { try Reader($0).reshareID(of: post, by: user) }
    }
}

extension ReshareStore.Reader {
    func reshareID(of post: PostID, by user: UserID) throws -> Int64? {
        try reader.first(Self.reshareProbe, [.user(user), .post(post)]) { $0.integer(0) }
    }

    /// The posts of a list that a user, the first argument, has reshared.
    package static let resharedAmong = ListQuery(after: 1) {
        "SELECT post_id FROM reshare WHERE user_id = ?1 AND post_id IN (\($0))"
    }

    static let resharerProbe = "SELECT user_id FROM reshare WHERE id = ?1"
    static let reshareProbe = "SELECT id FROM reshare WHERE user_id = ?1 AND post_id = ?2"
}

extension ReshareStore.Writer {
    func unreshare(_ post: PostID, by user: UserID) throws -> Bool {
        guard let id = try ReshareStore.Reader(transaction).reshareID(of: post, by: user) else { return false }
        try deleteReshare(id)
        try EngagementStore.Writer(transaction).count(-1, .shares, of: post, by: user, act: id)
        try NotificationStore.Writer(transaction).withdrawNotifications(.share, of: id, about: post, by: user)
        let entry = FeedEntry(position: FeedPosition(rawValue: id), post: post)
        transaction.touch(.actor(user))
        try OutboxStore.Writer(transaction).enqueue(.removeReason(entry: entry, actor: user))
        try transaction.record(.unreshared(post, by: user))
        return true
    }

    func deleteReshare(_ id: Int64) throws {
        try transaction.execute("DELETE FROM reshare WHERE id = ?1", [.integer(id)])
        try transaction.execute("DELETE FROM topic_reshare WHERE reshare_id = ?1", [.integer(id)])
    }
}
