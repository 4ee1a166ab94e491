import Database

/// Comments and replies.
package struct CommentStore: Sendable {
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

extension CommentStore {
    /// Comments on a post, or replies to a comment on it. Notifies the post's authors, the author of the parent, and
    /// mentioned users. The caller checks that `author` may see the post. Throws ``GraphError/accountNotFound``,
    /// ``GraphError/postNotFound``, ``GraphError/commentNotFound`` (no such parent on this post, or a block between the
    /// two), ``GraphError/communityArchived``, ``GraphError/threadTooDeep``.
    @discardableResult
    package func comment(
        on post: PostID, by author: UserID, content: String, parent: CommentID? = nil
    ) async throws -> PostComment {
        let draft = ScreeningDraft(author: author, isNew: true) { reader in
            (try PostStore.Reader(reader).screenedCommunity(of: post), [content])
        }
        return try await database.writeScreened(draft) { screening, transaction in
            try AccountStore.Reader(transaction).requireAccounts([author])
            try PostStore.Reader(transaction).requireLive(post)
            let community = try Reader(transaction).openCommunity(of: post)
            let above = try parent.map { try Reader(transaction).openComment($0, on: post) }
            let depth = (above?.depth ?? -1) + 1
            guard depth <= SocialGraphLimits.commentDepth else { throw GraphError.threadTooDeep }
            // A comment by a blocked or blocking user is not shown, so it cannot be replied to.
            if let above, try BlockAndMuteStore.Reader(transaction).isBlocked(author, above.author) {
                throw GraphError.commentNotFound
            }
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
            if let community { try CommunityStore.Writer(transaction).rememberParticipant(author, in: community) }
            try Writer(transaction).count(1, comment: id)
            if try transaction.screen(.comment(id), isNew: true, screening, in: community) {
                try NotificationStore.Writer(transaction).notifyAuthors(
                    of: post, .comment, by: author, also: above?.author, comment: id)
                try NotificationStore.Writer(transaction).notifyMentioned(
                    in: content, of: post, comment: id, by: author)
            }
            try transaction.record(.commented(id, on: post))
            return try Reader(transaction).requireComment(id)
        }
    }

    /// Changes the text of a comment. Notifies users whom it mentions for the first time. Throws
    /// ``GraphError/commentNotFound`` and ``GraphError/notCommentAuthor``.
    package func editComment(_ id: CommentID, by author: UserID, content: String) async throws -> PostComment {
        let draft = ScreeningDraft(author: author, isNew: false) { reader in
            guard let comment = try Reader(reader).comment(id) else { return nil }
            return (try PostStore.Reader(reader).screenedCommunity(of: comment.post), [content])
        }
        return try await database.writeScreened(draft) { screening, transaction in
            let comment = try Reader(transaction).liveComment(id, on: nil)
            guard comment.author == author else { throw GraphError.notCommentAuthor }
            let wasShown = try transaction.exists(EngagementStore.countedCommentProbe, [.comment(id)])
            try transaction.execute(
                "UPDATE comment SET content = ?2, updated_at = ?3 WHERE id = ?1",
                [.comment(id), .text(content), .integer(transaction.now)])
            let community = try PostStore.Reader(transaction).screenedCommunity(of: comment.post)
            if try transaction.screen(.comment(id), isNew: false, screening, in: community) {
                try NotificationStore.Writer(transaction).notifyMentioned(
                    in: content, of: comment.post, comment: id, by: author)
            }
            let isShown = try transaction.exists(EngagementStore.countedCommentProbe, [.comment(id)])
            try transaction.record(.commentChanged(id, on: wasShown || isShown ? comment.post : nil))
            return try Reader(transaction).requireComment(id)
        }
    }

    /// Deletes a comment; its author and the authors of the post may. A comment with replies stays as a tombstone.
    /// Throws ``GraphError/commentNotFound`` and ``GraphError/notCommentAuthor``.
    package func deleteComment(_ id: CommentID, by user: UserID) async throws {
        try await database.write { transaction in
            let comment = try Reader(transaction).liveComment(id, on: nil)
            let mayDelete =
                try comment.author == user
                || PostStore.Reader(transaction).isAuthor(user, of: comment.post)
            guard mayDelete else { throw GraphError.notCommentAuthor }
            try Writer(transaction).remove(comment)
        }
    }

    /// A comment, deleted or not, on a live post or not; nil: there is none.
    package func comment(_ id: CommentID) async throws -> PostComment? {
        try await database.read { try Reader($0).comment(id) }
    }

    /// The comments, in the order of `ids`.
    package func comments(_ ids: [CommentID]) async throws -> [PostComment?] {
        try await database.read { try Reader($0).comments(ids) }
    }
}

extension CommentStore.Reader {
    package func comment(_ id: CommentID) throws -> PostComment? { try comments([id])[0] }

    /// The comments, in the order of `ids` and in one round trip.
    package func comments(_ ids: [CommentID]) throws -> [PostComment?] {
        let query = "\(CommentStore.commentColumns) WHERE c.id = ?1"
        return try reader.first(of: ids.map { SQLQuery(query, [.comment($0)]) }, PostComment.init(row:))
    }

    fileprivate func requireComment(_ id: CommentID) throws -> PostComment {
        guard let comment = try self.comment(id) else { throw GraphError.commentNotFound }
        return comment
    }

    /// The live comment `id`. `post` nil: on any live post.
    func liveComment(_ id: CommentID, on post: PostID?) throws -> PostComment {
        guard let comment = try self.comment(id), !comment.isDeleted, post == nil || comment.post == post else {
            throw GraphError.commentNotFound
        }
        if post == nil, try !reader.exists(Self.liveProbe, [.post(comment.post)]) { throw GraphError.commentNotFound }
        return comment
    }

    /// A comment that can be replied to.
    fileprivate func openComment(_ id: CommentID, on post: PostID) throws -> PostComment {
        let comment = try liveComment(id, on: post)
        let isHidden = comment.isHeld || comment.isRemoved || comment.isTakenDown || comment.isAuthorSuspended
        guard !isHidden else { throw GraphError.commentNotFound }
        return comment
    }

    /// The community that the post is in. Throws ``GraphError/communityArchived``.
    fileprivate func openCommunity(of post: PostID) throws -> CommunityID? {
        let found = try reader.first(Self.postCommunityQuery, [.post(post)]) {
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

extension CommentStore.Writer {
    func remove(_ comment: PostComment) throws {
        let isCounted = try transaction.exists(EngagementStore.countedCommentProbe, [.comment(comment.id)])
        try transaction.execute(
            "UPDATE comment SET content = '', deleted_at = ?2 WHERE id = ?1",
            [.comment(comment.id), .integer(transaction.now)])
        if isCounted { try count(-1, comment: comment.id) }
        try NotificationStore.Writer(transaction).withdrawNotifications(about: comment.id)
        try transaction.endScreening(of: .comment(comment.id))
        try clearAway(comment.id)
        try transaction.record(.commentChanged(comment.id, on: isCounted ? comment.post : nil))
    }

    /// Counts a comment on its post and as a reply: 1 for one that was created or is shown again, -1 for one that was
    /// deleted or hidden by moderators.
    package func count(_ step: Int64, comment id: CommentID) throws {
        let place = try transaction.first(
            "SELECT post_id, user_id, parent_id FROM comment WHERE id = ?1", [.comment(id)]
        ) { (PostID(rawValue: $0.integer(0)), UserID(rawValue: $0.integer(1)), $0.optionalInteger(2)) }
        guard let (post, author, parent) = place else { return }
        if let parent { try countReply(step, to: CommentID(rawValue: parent)) }
        try EngagementStore.Writer(transaction).count(step, .comments, of: post, by: author, act: id.rawValue)
    }

    /// Removes a deleted comment without replies, and then its parent if that was deleted and has no other reply, and
    /// so on up the thread.
    private func clearAway(_ id: CommentID) throws {
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

    private func countReply(_ step: Int64, to parent: CommentID) throws {
        try transaction.execute(
            "UPDATE comment SET replies_count = replies_count + ?2 WHERE id = ?1", [.comment(parent), .integer(step)])
    }
}
