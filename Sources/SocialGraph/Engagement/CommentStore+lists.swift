import Database

extension CommentStore {
    static let commentColumns = """
        SELECT c.id, c.post_id, c.user_id, a.username, c.parent_id, c.depth, c.content, c.created_at, c.updated_at,
            c.deleted_at, c.replies_count, c.held_at, c.removed_at, c.taken_down_at, a.suspended_at, a.silenced_at
        FROM comment c JOIN account a ON a.id = c.user_id
        """

    /// Comments of a post, the latest first, strictly below `cursor`, including deleted ones that have replies.
    package func comments(
        of post: PostID, _ thread: CommentThread, below cursor: Int64?, limit: Int
    ) async throws -> [PostComment] {
        try await database.read { reader in
            let place: [SQLValue] = [.post(post), .integer(cursor ?? .max), .integer(Int64(limit))]
            switch thread {
            case .everything: return try reader.rows(Self.commentsQuery, place, PostComment.init(row:))
            case .topLevel: return try reader.rows(Self.topLevelCommentsQuery, place, PostComment.init(row:))
            case .replies(let parent):
                return try reader.rows(Self.repliesQuery, place + [.comment(parent)], PostComment.init(row:))
            }
        }
    }

    static let commentsQuery = latest("c.post_id = ?1")
    static let topLevelCommentsQuery = latest("c.post_id = ?1 AND c.parent_id IS NULL")
    static let repliesQuery = latest("c.parent_id = (SELECT id FROM comment WHERE id = ?4 AND post_id = ?1)")

    private static func latest(_ condition: String) -> String {
        "\(commentColumns) WHERE \(condition) AND c.id < ?2 ORDER BY c.id DESC LIMIT ?3"
    }

    /// Comments of a post, the oldest first, strictly above `cursor`, including deleted ones.
    package func firstComments(of post: PostID, above cursor: Int64?, limit: Int) async throws -> [PostComment] {
        try await database.read { reader in
            try reader.rows(
                Self.firstCommentsQuery, [.post(post), .integer(cursor ?? 0), .integer(Int64(limit))],
                PostComment.init(row:))
        }
    }

    static let firstCommentsQuery = "\(commentColumns) WHERE c.post_id = ?1 AND c.id > ?2 ORDER BY c.id LIMIT ?3"

    /// Comments by `user` on any post, the latest first.
    package func comments(by user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<PostComment, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.commentsByUserQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                PostComment.init(row:))
            return Page(rows: rows, limit: limit) { $0.id.rawValue }
        }
    }

    static let commentsByUserQuery = latest("c.user_id = ?1 AND c.deleted_at IS NULL")
}

extension PostComment {
    init(row: any SQLRow) {
        id = CommentID(rawValue: row.integer(0))
        post = PostID(rawValue: row.integer(1))
        author = UserID(rawValue: row.integer(2))
        authorUsername = row.text(3)
        parent = row.optionalInteger(4).map(CommentID.init(rawValue:))
        depth = row.integer(5)
        content = row.text(6)
        createdAt = row.integer(7)
        updatedAt = row.integer(8)
        isDeleted = row.optionalInteger(9) != nil
        repliesCount = row.integer(10)
        isHeld = row.optionalInteger(11) != nil
        isRemoved = row.optionalInteger(12) != nil
        isTakenDown = row.optionalInteger(13) != nil
        isAuthorSuspended = row.optionalInteger(14) != nil
        isAuthorSilenced = row.optionalInteger(15) != nil
    }
}
