extension GraphStore {
    /// Publishes: the post, its tags, its author-feed rows and its fan-out job commit together. With an idempotency
    /// key that was seen before, returns the post of that time. What a rule holds or removes is returned as well.
    /// Throws ``GraphError/accountNotFound``, ``GraphError/unknownCollaborator(_:)``, ``GraphError/selfCollaboration``,
    /// ``GraphError/idempotencyKeyReused``, ``GraphError/postNotFound`` (the post of that key has been deleted).
    package func publish(_ post: NewPost, idempotency: IdempotencyKey? = nil) async throws -> Post {
        let draft = ScreeningDraft(author: post.author, isNew: true) { _ in
            (post.community, ScreenedContent.texts(of: post))
        }
        return try await writeScreened(draft) { screening, transaction in
            try Self.requireAccounts([post.author], in: transaction)
            if let idempotency, let earlier = try Self.earlierPost(of: post.author, idempotency, transaction) {
                return try Self.requirePost(earlier, transaction)
            }
            let id = try Self.insert(post, in: transaction)
            if try Self.screen(.post(id), isNew: true, screening, in: post.community, transaction) {
                try Self.notifyMentioned(in: post.caption, of: id, by: post.author, transaction)
                try Self.enqueueMatch(of: id, in: transaction)
            }
            if let idempotency { try Self.remember(idempotency, of: post.author, post: id, in: transaction) }
            return try Self.requirePost(id, transaction)
        }
    }

    /// As its author is answered: also where it is hidden from everybody.
    static func requirePost(_ id: PostID, _ reader: any SQLReader) throws -> Post {
        guard let post = try posts([id], reader, storedPostQuery).first else { throw GraphError.postNotFound }
        return post
    }

    /// - Parameter isPushed: whether a job is left that brings it into windows.
    static func insert(
        _ post: NewPost, isPushed: Bool = true, by inviter: Inviter = .author, in transaction: any GraphTransaction
    ) throws -> PostID {
        let isForMembers = try post.community.map { try requirePosting(post.author, in: $0, transaction) } ?? false
        let id = PostID(rawValue: try transaction.nextID())
        try transaction.execute(
            """
            INSERT INTO post (id, author_id, caption, media_url, category, link, created_at, visibility, community_id,
                title, thumbnail_url, media_id, thumbnail_id, updated_at, members_only)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?7, ?14)
            """,
            [
                .post(id), .user(post.author), .text(post.caption), .text(post.mediaURL), .optional(post.category),
                .optional(post.link), .integer(post.createdAt ?? transaction.now), .text(post.visibility.rawValue),
                post.community.map(SQLValue.community) ?? .null, .optional(post.title), .optional(post.thumbnailURL),
                post.media.map(SQLValue.media) ?? .null, post.thumbnail.map(SQLValue.media) ?? .null,
                .flag(isForMembers),
            ]
        )
        if !post.attributes.isEmpty {
            try store(post.attributes, as: .posts, of: id.rawValue, in: transaction)
        }
        try insertTags(post.algorithmTags, of: id, in: transaction)
        if let category = post.category { try insertTopic(.category, category, of: id, in: transaction) }
        let accepted = try insertCollaborators(
            post.collaborators, of: id, author: post.author, by: inviter, in: transaction)
        for author in [post.author] + accepted {
            try transaction.execute(
                "INSERT INTO author_post (author_id, post_id) VALUES (?1, ?2)", [.user(author), .post(id)])
            transaction.touch(.actor(author))
            try transaction.execute("UPDATE account SET posts_count = posts_count + 1 WHERE id = ?1", [.user(author)])
        }
        if let community = post.community { transaction.touch(.community(community)) }
        transaction.index(new: .post(id), texts: TextDocument.texts(of: post, by: [post.author] + accepted))
        if isPushed { try enqueue(.push(post: id, author: post.author), in: transaction) }
        try transaction.record(
            GraphChange(.postPublished, subject: id.rawValue, object: post.author.rawValue))
        return id
    }

    private static func insertTags(_ tags: [String], of post: PostID, in transaction: any GraphTransaction) throws {
        for (index, (tag, key)) in distinct(tags).enumerated() {
            try transaction.execute(
                "INSERT INTO post_tag (post_id, ordinal, tag, tag_key) VALUES (?1, ?2, ?3, ?4)",
                [.post(post), .integer(Int64(index + 1)), .text(tag), .text(key)])
            try insertTopic(.tag, tag, of: post, in: transaction)
        }
    }

    /// Of tags that differ in case only the first, each with its key.
    static func distinct(_ tags: [String]) -> [(tag: String, key: String)] {
        var seen: Set<String> = []
        return tags.map { ($0, NameFolding.key($0)) }.filter { seen.insert($0.1).inserted }
    }

    /// Invites collaborators, and returns those who have accepted with that.
    private static func insertCollaborators(
        _ collaborators: [UserID], of post: PostID, author: UserID, by inviter: Inviter,
        in transaction: any GraphTransaction
    ) throws -> [UserID] {
        var accepted: [UserID] = []
        var seen: Set<UserID> = []
        for user in collaborators where seen.insert(user).inserted {
            let status = try invite(
                user, to: post, of: author, ordinal: seen.count, by: inviter, in: transaction)
            if status == .accepted { accepted.append(user) }
        }
        return accepted
    }

    private static func earlierPost(
        of author: UserID, _ idempotency: IdempotencyKey, _ transaction: any GraphTransaction
    ) throws -> PostID? {
        try transaction.execute(
            "DELETE FROM idempotency WHERE created_at < ?1",
            [.integer(transaction.expiryTime - SocialGraphLimits.idempotencyRetention)])
        let earlier = try transaction.first(
            "SELECT post_id, fingerprint FROM idempotency WHERE account_id = ?1 AND idempotency_key = ?2",
            [.user(author), .text(idempotency.key)]
        ) { (post: PostID(rawValue: $0.integer(0)), fingerprint: $0.blob(1)) }
        guard let earlier else { return nil }
        guard earlier.fingerprint == idempotency.fingerprint else { throw GraphError.idempotencyKeyReused }
        return earlier.post
    }

    private static func remember(
        _ idempotency: IdempotencyKey, of author: UserID, post: PostID, in transaction: any GraphTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO idempotency (account_id, idempotency_key, fingerprint, post_id, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .user(author), .text(idempotency.key), .blob(idempotency.fingerprint), .post(post),
                .integer(transaction.now),
            ]
        )
    }

    /// Deletes a post of `author`: hidden from everybody with the acknowledgement, taken out of stored windows after
    /// it. What it said is wiped; its row stays, so that ids stay taken.
    /// Throws ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func deletePost(_ id: PostID, by author: UserID) async throws {
        try await database.write { transaction in
            let owner = try transaction.first(
                "SELECT author_id FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(id)]
            ) { UserID(rawValue: $0.integer(0)) }
            guard let owner else { throw GraphError.postNotFound }
            guard owner == author else { throw GraphError.notAuthor }
            try Self.retract(id, by: owner, in: transaction)
        }
    }

    /// Condition for a post to be counted: moderators do not hide it.
    static let unhiddenPost = "held_at IS NULL AND removed_at IS NULL AND taken_down_at IS NULL"

    /// Adds `step` (1 or -1) to the counts of posts of its authors: moderators have hidden a post, or show it again.
    static func countPost(_ id: PostID, _ step: Int64, in transaction: any GraphTransaction) throws {
        try transaction.execute(countPostStatement, [.post(id), .integer(step)])
    }

    static let countPostStatement = """
        UPDATE account SET posts_count = posts_count + ?2
        WHERE id IN (SELECT author_id FROM author_post WHERE post_id = ?1)
        """

    static func retract(_ id: PostID, by owner: UserID, in transaction: any GraphTransaction) throws {
        try transaction.execute(
            """
            UPDATE post SET deleted_at = ?2, caption = '', media_url = '', category = NULL, link = NULL, title = NULL,
                thumbnail_url = NULL, media_id = NULL, thumbnail_id = NULL
            WHERE id = ?1
            """,
            [.post(id), .integer(transaction.now)])
        try transaction.execute(
            """
            UPDATE account SET posts_count = posts_count - 1
            WHERE id IN (SELECT author_id FROM author_post WHERE post_id = ?1)
                AND EXISTS (SELECT 1 FROM post WHERE id = ?1 AND \(unhiddenPost))
            """, [.post(id)])
        try transaction.execute("DELETE FROM author_post WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM post_tag WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM post_attribute WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM topic_post WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM community_pin WHERE post_id = ?1", [.post(id)])
        transaction.index(.post(id))
        try deleteSegmentation(of: id, in: transaction)
        try endScreening(of: .post(id), in: transaction)
        try transaction.execute(deleteEmbeddingStatement, [.post(id)])
        try enqueue(.unpush(post: id, author: owner), in: transaction)
        try transaction.record(GraphChange(.postDeleted, subject: id.rawValue, object: owner.rawValue))
    }
}
