extension GraphStore {
    /// Live posts of which `user` is an author, newest first, strictly below `cursor`.
    /// Throws ``GraphError/accountNotFound``.
    package func authorFeed(of user: UserID, below cursor: PostID?, limit: Int) async throws -> [PostID] {
        try await database.read { reader in
            try Self.requireAccounts([user], in: reader)
            return try Self.authorFeed(of: user, below: cursor, limit: limit, reader)
        }
    }

    static func authorFeed(
        of user: UserID, below cursor: PostID?, limit: Int, _ reader: any SQLReader
    ) throws -> [PostID] {
        try reader.rows(
            authorFeedQuery, [.user(user), .integer(cursor?.rawValue ?? .max), .integer(Int64(limit))]
        ) { PostID(rawValue: $0.integer(0)) }
    }

    static let authorFeedQuery = """
        SELECT post_id FROM author_post WHERE author_id = ?1 AND post_id < ?2 ORDER BY post_id DESC LIMIT ?3
        """

    /// What a merge of `followee` into the window of `follower` has to add: the followee's newest posts, or nothing
    /// if by now there is no such follow.
    package func mergeable(
        of followee: UserID, into follower: UserID, limit: Int
    ) async throws -> (follows: Bool, posts: [PostID]) {
        try await database.read { reader in
            guard try reader.exists(Self.followProbe, [.user(follower), .user(followee)]) else { return (false, []) }
            return (true, try Self.authorFeed(of: followee, below: nil, limit: limit, reader))
        }
    }
}
