import Database

extension FeedStore {
    /// Live posts of which `user` is an author, newest first, strictly below `cursor`. Throws
    /// ``GraphError/accountNotFound``, also if `user` has blocked `viewer`.
    package func authorFeed(
        of user: UserID, for viewer: UserID? = nil, below cursor: FeedPosition?, limit: Int
    ) async throws -> [PostID] {
        try await database.read { reader in
            try BlockAndMuteStore.Reader(reader).requireShown([user], to: viewer)
            return try Reader(reader).authorFeed(of: user, below: cursor, limit: limit)
        }
    }
}

extension FeedStore.Reader {
    package func authorFeed(of user: UserID, below cursor: FeedPosition?, limit: Int) throws -> [PostID] {
        try reader.rows(
            Self.authorFeedQuery, [.user(user), .integer(cursor?.rawValue ?? .max), .integer(Int64(limit))]
        ) { PostID(rawValue: $0.integer(0)) }
    }

    package static let authorFeedQuery = """
        SELECT post_id FROM author_post WHERE author_id = ?1 AND post_id < ?2 ORDER BY post_id DESC LIMIT ?3
        """
}
