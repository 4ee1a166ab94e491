extension GraphStore {
    /// Comments on a post, or replies to a comment on it. Its authors, the author of what is replied to, and whom it
    /// mentions are notified. Whether `author` may see the post is for the caller to judge. Throws
    /// ``GraphError/accountNotFound``, ``GraphError/postNotFound``, ``GraphError/commentNotFound`` (no such parent on
    /// this post, or a block between the two), ``GraphError/communityArchived``, ``GraphError/threadTooDeep``.
    @discardableResult
    package func comment(
        on post: PostID, by author: UserID, content: String, parent: CommentID? = nil
    ) async throws -> PostComment {
        let draft = ScreeningDraft(author: author, isNew: true) { reader in
            (try Self.screenedCommunity(of: post, reader), [content])
        }
        return try await writeScreened(draft) { screening, transaction in
            try Self.requireAccounts([author], in: transaction)
            try Self.requireLive(post, in: transaction)
            let community = try Self.openCommunity(of: post, transaction)
            let above = try parent.map { try Self.openComment($0, on: post, transaction) }
            let depth = (above?.depth ?? -1) + 1
            guard depth <= SocialGraphLimits.commentDepth else { throw GraphError.threadTooDeep }
            // A comment across a block is not shown, so it cannot be replied to.
            if let above, try Self.isBlocked(author, above.author, transaction) { throw GraphError.commentNotFound }
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
            if let community { try Self.rememberParticipant(author, in: community, transaction) }
            try Self.count(1, comment: id, in: transaction)
            if try Self.screen(.comment(id), isNew: true, screening, in: community, transaction) {
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
        let draft = ScreeningDraft(author: author, isNew: false) { reader in
            guard let comment = try Self.comment(id, reader) else { return nil }
            return (try Self.screenedCommunity(of: comment.post, reader), [content])
        }
        return try await writeScreened(draft) { screening, transaction in
            let comment = try Self.liveComment(id, on: nil, transaction)
            guard comment.author == author else { throw GraphError.notCommentAuthor }
            let wasShown = try transaction.exists(Self.countedCommentProbe, [.comment(id)])
            try transaction.execute(
                "UPDATE comment SET content = ?2, updated_at = ?3 WHERE id = ?1",
                [.comment(id), .text(content), .integer(transaction.now)])
            let community = try Self.screenedCommunity(of: comment.post, transaction)
            if try Self.screen(.comment(id), isNew: false, screening, in: community, transaction) {
                try Self.notifyMentioned(in: content, of: comment.post, comment: id, by: author, transaction)
            }
            let isShown = try transaction.exists(Self.countedCommentProbe, [.comment(id)])
            try transaction.record(
                GraphChange(
                    .commentChanged, subject: id.rawValue, object: wasShown || isShown ? comment.post.rawValue : 0))
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
        let isCounted = try transaction.exists(countedCommentProbe, [.comment(comment.id)])
        try transaction.execute(
            "UPDATE comment SET content = '', deleted_at = ?2 WHERE id = ?1",
            [.comment(comment.id), .integer(transaction.now)])
        if isCounted { try count(-1, comment: comment.id, in: transaction) }
        try withdrawNotifications(about: comment.id, in: transaction)
        try endScreening(of: .comment(comment.id), in: transaction)
        try clearAway(comment.id, in: transaction)
        try transaction.record(
            GraphChange(
                .commentChanged, subject: comment.id.rawValue, object: isCounted ? comment.post.rawValue : 0))
    }

    /// Counts a comment, on its post and as a reply: it has come, or is shown again (1), or has gone, or been hidden by
    /// moderators (-1).
    static func count(_ step: Int64, comment id: CommentID, in transaction: any GraphTransaction) throws {
        let place = try transaction.first(
            "SELECT post_id, user_id, parent_id FROM comment WHERE id = ?1", [.comment(id)]
        ) { (PostID(rawValue: $0.integer(0)), UserID(rawValue: $0.integer(1)), $0.optionalInteger(2)) }
        guard let (post, author, parent) = place else { return }
        if let parent { try countReply(step, to: CommentID(rawValue: parent), in: transaction) }
        try count(step, .comments, of: post, by: author, act: id.rawValue, in: transaction)
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

    /// The community that the post is in. Throws ``GraphError/communityArchived``.
    private static func openCommunity(of post: PostID, _ reader: any SQLReader) throws -> CommunityID? {
        let found = try reader.first(postCommunityQuery, [.post(post)]) {
            (id: CommunityID(rawValue: $0.integer(0)), isArchived: $0.optionalInteger(1) != nil)
        }
        guard found?.isArchived != true else { throw GraphError.communityArchived }
        return found?.id
    }

    static let postCommunityQuery = """
        SELECT c.id, c.archived_at FROM post p JOIN community c ON c.id = p.community_id WHERE p.id = ?1
        """

    static let liveProbe = "SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL"
}
