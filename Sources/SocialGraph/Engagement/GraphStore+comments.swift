extension GraphStore {
    /// Comments on a post, or replies to a comment on it. Its authors, the author of what is replied to, and whom it
    /// mentions are notified. Whether `author` may see the post is for the caller to judge.
    /// Throws ``GraphError/accountNotFound``, ``GraphError/postNotFound``, ``GraphError/commentNotFound`` (no such
    /// parent on this post), ``GraphError/communityArchived``, ``GraphError/notAllowed`` (a block between the two),
    /// ``GraphError/threadTooDeep``.
    @discardableResult
    package func comment(
        on post: PostID, by author: UserID, content: String, parent: CommentID? = nil
    ) async throws -> PostComment {
        try await database.write { transaction in
            try Self.requireAccounts([author], in: transaction)
            try Self.requireLive(post, in: transaction)
            try Self.requireOpenCommunity(of: post, transaction)
            let above = try parent.map { try Self.openComment($0, on: post, transaction) }
            let depth = (above?.depth ?? -1) + 1
            guard depth <= SocialGraphLimits.commentDepth else { throw GraphError.threadTooDeep }
            if let above, try Self.isBlocked(author, above.author, transaction) { throw GraphError.notAllowed }
            let id = CommentID(rawValue: try transaction.nextID())
            try transaction.execute(
                """
                INSERT INTO comment (id, post_id, user_id, parent_id, depth, content, created_at, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
                """,
                [
                    .comment(id), .post(post), .user(author), parent.map(SQLValue.comment) ?? .null, .integer(depth),
                    .text(content), .integer(transaction.now),
                ])
            if let parent { try Self.countReply(1, to: parent, in: transaction) }
            try Self.count(1, .comments, of: post, act: id.rawValue, in: transaction)
            if try Self.screen(.comment(id), isNew: true, in: transaction) {
                try Self.notifyAuthors(
                    of: post, .comment, by: author, also: above?.author, comment: id, in: transaction)
                try Self.notifyMentioned(in: content, of: post, comment: id, by: author, transaction)
            }
            try transaction.record(GraphChange(.commented, subject: id.rawValue, object: post.rawValue))
            return try Self.requireComment(id, transaction)
        }
    }

    /// Changes what a comment says. Whom it mentions for the first time is notified.
    /// Throws ``GraphError/commentNotFound`` and ``GraphError/notCommentAuthor``.
    package func editComment(_ id: CommentID, by author: UserID, content: String) async throws -> PostComment {
        try await database.write { transaction in
            let comment = try Self.liveComment(id, on: nil, transaction)
            guard comment.author == author else { throw GraphError.notCommentAuthor }
            try transaction.execute(
                "UPDATE comment SET content = ?2, updated_at = ?3 WHERE id = ?1",
                [.comment(id), .text(content), .integer(transaction.now)])
            if try Self.screen(.comment(id), isNew: false, in: transaction) {
                try Self.notifyMentioned(in: content, of: comment.post, comment: id, by: author, transaction)
            }
            try transaction.record(GraphChange(.commentChanged, subject: id.rawValue, object: comment.post.rawValue))
            return try Self.requireComment(id, transaction)
        }
    }

    /// Deletes a comment; its author may, and the authors of the post. Where there are replies, it stays as an empty
    /// place for them. Throws ``GraphError/commentNotFound`` and ``GraphError/notCommentAuthor``.
    package func deleteComment(_ id: CommentID, by user: UserID) async throws {
        try await database.write { transaction in
            let comment = try Self.liveComment(id, on: nil, transaction)
            let mayDelete =
                try comment.author == user
                || transaction.exists(Self.authorProbe, [.user(user), .post(comment.post)])
            guard mayDelete else { throw GraphError.notCommentAuthor }
            try Self.remove(comment, in: transaction)
        }
    }

    static let authorProbe = "SELECT 1 FROM author_post WHERE author_id = ?1 AND post_id = ?2"

    static func remove(_ comment: PostComment, in transaction: any GraphTransaction) throws {
        try transaction.execute(
            "UPDATE comment SET content = '', deleted_at = ?2 WHERE id = ?1",
            [.comment(comment.id), .integer(transaction.now)])
        if let parent = comment.parent { try countReply(-1, to: parent, in: transaction) }
        try count(-1, .comments, of: comment.post, act: comment.id.rawValue, in: transaction)
        try withdrawNotifications(about: comment.id, in: transaction)
        try endScreening(of: .comment(comment.id), in: transaction)
        try clearAway(comment.id, in: transaction)
        try transaction.record(
            GraphChange(.commentChanged, subject: comment.id.rawValue, object: comment.post.rawValue))
    }

    /// Takes away a deleted comment that no reply hangs from, and then what it was the last reply to.
    private static func clearAway(_ id: CommentID, in transaction: any GraphTransaction) throws {
        var next: CommentID? = id
        while let id = next {
            let removed = try transaction.rows(
                """
                DELETE FROM comment WHERE id = ?1 AND deleted_at IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM comment r WHERE r.parent_id = ?1)
                RETURNING parent_id
                """, [.comment(id)]
            ) { $0.optionalInteger(0) }
            next = removed.first.flatMap { $0 }.map(CommentID.init(rawValue:))
        }
    }

    private static func countReply(
        _ step: Int64, to parent: CommentID, in transaction: any GraphTransaction
    ) throws {
        try transaction.execute(
            "UPDATE comment SET replies_count = replies_count + ?2 WHERE id = ?1", [.comment(parent), .integer(step)])
    }

    /// A comment, deleted or not; nil: there is none. On a live post or not.
    package func comment(_ id: CommentID) async throws -> PostComment? {
        try await database.read { try Self.comment(id, $0) }
    }

    static func comment(_ id: CommentID, _ reader: any SQLReader) throws -> PostComment? {
        try reader.first("\(commentColumns) WHERE c.id = ?1", [.comment(id)], PostComment.init(row:))
    }

    private static func requireComment(_ id: CommentID, _ reader: any SQLReader) throws -> PostComment {
        guard let comment = try comment(id, reader) else { throw GraphError.commentNotFound }
        return comment
    }

    /// `post` nil: on whichever live post.
    static func liveComment(_ id: CommentID, on post: PostID?, _ reader: any SQLReader) throws -> PostComment {
        guard let comment = try comment(id, reader), !comment.isDeleted, post == nil || comment.post == post else {
            throw GraphError.commentNotFound
        }
        if post == nil, try !reader.exists(liveProbe, [.post(comment.post)]) { throw GraphError.commentNotFound }
        return comment
    }

    /// A comment that can be replied to.
    private static func openComment(_ id: CommentID, on post: PostID, _ reader: any SQLReader) throws -> PostComment {
        let comment = try liveComment(id, on: post, reader)
        let isHidden = comment.isHeld || comment.isRemoved || comment.isTakenDown || comment.isAuthorSuspended
        guard !isHidden else { throw GraphError.commentNotFound }
        return comment
    }

    /// Throws ``GraphError/communityArchived``.
    private static func requireOpenCommunity(of post: PostID, _ reader: any SQLReader) throws {
        guard try !reader.exists(archiveProbe, [.post(post)]) else { throw GraphError.communityArchived }
    }

    static let archiveProbe = """
        SELECT 1 FROM post p JOIN community c ON c.id = p.community_id WHERE p.id = ?1 AND c.archived_at IS NOT NULL
        """

    static let liveProbe = "SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL"
}
