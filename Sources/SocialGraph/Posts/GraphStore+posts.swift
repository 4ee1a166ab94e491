extension GraphStore {
    /// The live posts among `ids`, in the order of `ids`.
    package func posts(_ ids: [PostID]) async throws -> [Post] {
        try await database.read { try Self.posts(ids, $0) }
    }

    static func posts(_ ids: [PostID], _ reader: any SQLReader) throws -> [Post] {
        try ids.compactMap { id in
            guard var post = try reader.first(postQuery, [.post(id)], Post.init(row:)) else { return nil }
            post.algorithmTags = try reader.rows(tagsQuery, [.post(id)]) { $0.text(0) }
            post.collaborators = try reader.rows(collaboratorsQuery, [.post(id)], Collaborator.init(row:))
            return post
        }
    }

    static let postQuery = """
        SELECT p.id, p.author_id, a.username, p.caption, p.media_url, p.category, p.link,
               p.likes_count, p.comments_count, p.shares_count, p.created_at
        FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = ?1 AND p.deleted_at IS NULL
        """

    static let tagsQuery = "SELECT tag FROM post_tag WHERE post_id = ?1 ORDER BY ordinal"

    static let collaboratorsQuery = """
        SELECT c.user_id, a.username, c.status FROM post_collaborator c JOIN account a ON a.id = c.user_id
        WHERE c.post_id = ?1 ORDER BY c.user_id
        """
}

extension Post {
    init(row: any SQLRow) {
        id = PostID(rawValue: row.integer(0))
        author = UserID(rawValue: row.integer(1))
        authorUsername = row.text(2)
        caption = row.text(3)
        mediaURL = row.text(4)
        category = row.optionalText(5)
        link = row.optionalText(6)
        counts = EngagementCounts(likes: row.integer(7), comments: row.integer(8), shares: row.integer(9))
        createdAt = row.integer(10)
        algorithmTags = []
        collaborators = []
    }
}

extension Collaborator {
    init(row: any SQLRow) throws {
        user = UserID(rawValue: row.integer(0))
        username = row.text(1)
        guard let status = Status(rawValue: row.text(2)) else {
            throw GraphError.storage(detail: "collaborator status \(row.text(2))")
        }
        self.status = status
    }
}
