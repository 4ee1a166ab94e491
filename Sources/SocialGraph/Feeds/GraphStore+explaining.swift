/// What an explanation asks beyond the visibility rule.
package struct PostFate: Sendable, Equatable {
    package let isDeleted: Bool
    package let isTakenDown: Bool
    /// None of its authors is left who is not suspended.
    package let isSuspended: Bool
    /// The reader has blocked one of its authors. That one of them has blocked the reader is not asked.
    package let isBlockedByReader: Bool
    /// A fan-out of the post is under way.
    package let isUnderWay: Bool
}

extension GraphStore {
    /// Nil: there never was such a post.
    package func fate(of post: PostID, for reader: UserID) async throws -> PostFate? {
        try await database.read { database in
            try database.first(Self.fateQuery, [.post(post), .user(reader)]) {
                PostFate(
                    isDeleted: $0.integer(0) != 0, isTakenDown: $0.integer(1) != 0, isSuspended: $0.integer(4) != 0,
                    isBlockedByReader: $0.integer(2) != 0, isUnderWay: $0.integer(3) != 0)
            }
        }
    }

    static let fateQuery = """
        SELECT p.deleted_at IS NOT NULL
                OR EXISTS (SELECT 1 FROM account a WHERE a.id = p.author_id AND a.deleted_at IS NOT NULL),
            p.taken_down_at IS NOT NULL,
            EXISTS (SELECT 1 FROM author_post ap JOIN block b ON b.blocker_id = ?2 AND b.blocked_id = ap.author_id
                WHERE ap.post_id = p.id),
            EXISTS (SELECT 1 FROM outbox o WHERE o.post_id = p.id),
            NOT EXISTS (SELECT 1 FROM author_post ap JOIN account a ON a.id = ap.author_id
                WHERE ap.post_id = p.id AND a.deleted_at IS NULL AND a.suspended_at IS NULL)
        FROM post p WHERE p.id = ?1
        """

    /// The names of `users`, of those that exist.
    package func usernames(of users: [UserID]) async throws -> [UserID: String] {
        try await database.read { reader in
            var names: [UserID: String] = [:]
            for user in users where names[user] == nil {
                names[user] = try reader.first(
                    "SELECT username FROM account WHERE id = ?1 AND deleted_at IS NULL", [.user(user)]
                ) {
                    $0.text(0)
                }
            }
            return names
        }
    }
}
