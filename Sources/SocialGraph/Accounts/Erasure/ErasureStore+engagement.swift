import Database

/// Erasure of a deleted account's comments and likes, and of notifications about it. Counts follow the rows. Deleted
/// posts are not counted: their rows are purged as a whole.
extension ErasureStore.Writer {
    func eraseNotifications(_ user: UserID, _ limit: Int) throws -> Bool {
        var removed = 0
        for statement in Self.ownNotificationStatements {
            removed += try transaction.executeCounting(statement, [.user(user), .integer(Int64(limit))])
        }
        removed += try NotificationStore.Writer(transaction).withdrawNotifications(of: user, limit: limit)
        return removed > 0
    }

    /// Notifications go before their groups.
    static let ownNotificationStatements = [
        "DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE user_id = ?1 LIMIT ?2)",
        """
        DELETE FROM notification_group WHERE id IN (
            SELECT g.id FROM notification_group g WHERE g.user_id = ?1
                AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.group_id = g.id) LIMIT ?2)
        """,
    ]

    func eraseLikes(_ user: UserID, _ limit: Int) throws -> Bool {
        try erase(Self.erasedLikesQuery, user, limit) { id, post, isLive in
            guard isLive else {
                try transaction.execute("DELETE FROM post_like WHERE id = ?1", [.integer(id)])
                return
            }
            try LikeStore.Writer(transaction).deleteLike(id, of: post, by: user)
        }
    }

    static let erasedLikesQuery = """
        SELECT l.id, l.post_id, p.deleted_at FROM post_like l JOIN post p ON p.id = l.post_id
        WHERE l.user_id = ?1 LIMIT ?2
        """

    func eraseShares(_ user: UserID, _ limit: Int) throws -> Bool {
        try erase(Self.erasedSharesQuery, user, limit) { id, post, isLive in
            try transaction.execute("DELETE FROM external_share WHERE id = ?1", [.integer(id)])
            guard isLive else { return }
            try EngagementStore.Writer(transaction).count(-1, .shares, of: post, by: user, act: id)
            try transaction.record(.sharedExternally(post, by: user))
        }
    }

    static let erasedSharesQuery = """
        SELECT s.id, s.post_id, p.deleted_at FROM external_share s JOIN post p ON p.id = s.post_id
        WHERE s.user_id = ?1 LIMIT ?2
        """

    /// Erases comments; one with replies stays as a deleted comment.
    func eraseComments(_ user: UserID, _ limit: Int) throws -> Bool {
        try erase(Self.erasedCommentsQuery, user, limit) { id, _, isLive in
            let id = CommentID(rawValue: id)
            if isLive, let comment = try CommentStore.Reader(transaction).comment(id) {
                try CommentStore.Writer(transaction).remove(comment)
            } else {
                try transaction.execute(
                    "UPDATE comment SET content = '', deleted_at = ?2 WHERE id = ?1",
                    [.comment(id), .integer(transaction.now)])
                try transaction.endScreening(of: .comment(id))
            }
        }
    }

    static let erasedCommentsQuery = """
        SELECT c.id, c.post_id, p.deleted_at FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND c.deleted_at IS NULL LIMIT ?2
        """

    /// Passes each row of a query to `body`: an act, its post, and whether the post is live.
    private func erase(
        _ query: String, _ user: UserID, _ limit: Int, _ body: (Int64, PostID, Bool) throws -> Void
    ) throws -> Bool {
        let acts = try transaction.rows(query, [.user(user), .integer(Int64(limit))]) {
            (id: $0.integer(0), post: PostID(rawValue: $0.integer(1)), isLive: $0.optionalInteger(2) == nil)
        }
        for act in acts { try body(act.id, act.post, act.isLive) }
        return !acts.isEmpty
    }
}
