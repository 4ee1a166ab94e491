import Database

/// The reason why a post is gone for everybody.
package enum PostRemovalReason: Sendable, Equatable {
    case deleted, takenDown
    /// All of its authors are suspended.
    case suspended
}

extension FeedStore {
    /// The reason why nobody is shown a post; nil: the post never existed.
    package func removalReason(of post: PostID) async throws -> PostRemovalReason? {
        try await database.read { reader in
            try reader.first(Self.fateQuery, [.post(post)]) { row in
                row.integer(0) != 0 ? .deleted : row.integer(1) != 0 ? .takenDown : .suspended
            }
        }
    }

    static let fateQuery = """
        SELECT p.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL, p.taken_down_at IS NOT NULL
        FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = ?1
        """

    /// The names of those `users` that exist.
    package func usernames(of users: [UserID]) async throws -> [UserID: String] {
        try await database.read { reader in
            let queries = Self.usernamesQuery.queries(Set(users).map(SQLValue.user))
            let found = try reader.rows(of: queries) { (UserID(rawValue: $0.integer(0)), $0.text(1)) }
            return Dictionary(uniqueKeysWithValues: found.joined())
        }
    }

    private static let usernamesQuery = ListQuery { list in
        "SELECT id, username FROM account WHERE id IN (\(list)) AND deleted_at IS NULL"
    }
}
