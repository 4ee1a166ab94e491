import Algorithms
import Database
import Text

extension PostStore {
    /// Publishes a post: the post, its tags, its author-feed rows and its fan-out job commit together. Also
    /// returns a post that a rule holds or removes. Throws ``GraphError/accountNotFound``,
    /// ``GraphError/unknownCollaborator(_:)``, ``GraphError/selfCollaboration``.
    package func publish(_ post: NewPost) async throws -> Post {
        var draft = ScreeningDraft(author: post.author, isNew: true) { _ in
            (post.community, ScreenedContent.texts(of: post))
        }
        draft.ahead = ScreeningDraft.Ahead(community: post.community) { [hooks = database.graphHooks] in
            [AccountStore.Reader.authorQuery(of: post.author)] + post.topicKeys(post.distinctTags).map(\.probe)
                + (hooks.map { [$0.push.matchProbe] } ?? [])
        }
        return try await database.writeScreened(draft) { screening, transaction in
            let author = try AccountStore.Reader(transaction).requireAuthor(post.author)
            let inserted = try Writer(transaction).insert(post)
            let id = inserted.id
            let isShown = try transaction.screen(.post(id), isNew: true, screening, in: post.community)
            if isShown {
                try NotificationStore.Writer(transaction).notifyMentioned(in: post.caption, of: id, by: post.author)
                try transaction.enqueueMatch(of: id)
            }
            let isPlain = isShown && post.community == nil && post.collaborators.isEmpty && post.media == nil
            guard isPlain else { return try Reader(transaction).requirePost(id) }
            return Post(post, inserted, by: author, at: transaction.now)
        }
    }

    /// Deletes a post of `author`. It is hidden from everybody with the acknowledgement, and removed from stored
    /// windows afterwards. Its content is wiped; its row stays, so that its id is not assigned again. Throws
    /// ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func deletePost(_ id: PostID, by author: UserID) async throws {
        try await database.write { transaction in
            let owner = try transaction.first(
                "SELECT author_id FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(id)]
            ) { UserID(rawValue: $0.integer(0)) }
            guard let owner else { throw GraphError.postNotFound }
            guard owner == author else { throw GraphError.notAuthor }
            try Writer(transaction).retract(id, by: owner)
        }
    }
}

extension PostStore.Reader {
    /// The post as its author sees it, even if it is hidden from everybody else.
    func requirePost(_ id: PostID) throws -> Post {
        guard let post = try posts([id], Self.storedPosts).first else { throw GraphError.postNotFound }
        return post
    }
}

extension PostStore.Writer {
    /// - Parameter isPushed: true leaves a job that adds the post to windows.
    package func insert(
        _ post: NewPost, isPushed: Bool = true, by inviter: CollaborationStore.Inviter = .author
    ) throws -> InsertedPost {
        let isForMembers =
            try post.community.map { try CommunityStore.Reader(transaction).requirePosting(post.author, in: $0) }
            ?? false
        let tags = post.distinctTags
        let topics = try TopicStore.Writer(transaction).topics(post.topicKeys(tags))
        let id = PostID(rawValue: try transaction.nextID())
        let time = SQLValue.integer(post.createdAt ?? transaction.now)
        try transaction.insert(
            Self.postRows,
            [
                .post(id), .user(post.author), .text(post.caption), .text(post.mediaURL), .optional(post.category),
                .optional(post.link), time, .text(post.visibility.rawValue),
                post.community.map(SQLValue.community) ?? .null, .optional(post.title), .optional(post.thumbnailURL),
                post.media.map(SQLValue.media) ?? .null, post.thumbnail.map(SQLValue.media) ?? .null, time,
                .flag(isForMembers),
            ])
        if !post.attributes.isEmpty {
            try AttributeStore.Writer(transaction).store(post.attributes, as: .posts, of: id.rawValue)
        }
        try insertTags(tags, of: id)
        try TopicStore.Writer(transaction).insert(id, into: topics)
        let accepted = try insertCollaborators(post.collaborators, of: id, author: post.author, by: inviter)
        for author in [post.author] + accepted {
            try transaction.insert(Self.authorRows, [.user(author), .post(id)])
            transaction.touch(.actor(author))
            try transaction.adjust(Self.countOfAuthor, [.user(author)], by: 1)
        }
        if let community = post.community { transaction.touch(.community(community)) }
        transaction.index(new: .post(id), texts: TextDocument.texts(of: post, by: [post.author] + accepted))
        if isPushed { try OutboxStore.Writer(transaction).enqueue(.push(post: id, author: post.author)) }
        try transaction.record(.postPublished(id, author: post.author))
        return InsertedPost(id: id, tags: tags.map(\.tag), topics: topics)
    }

    private func insertTags(_ tags: [(tag: String, key: String)], of post: PostID) throws {
        for (index, (tag, key)) in tags.enumerated() {
            try transaction.insert(Self.tagRows, [.post(post), .integer(Int64(index + 1)), .text(tag), .text(key)])
        }
    }

    private static let postRows = RowInsertion(
        into: "post",
        [
            "id": .integer, "author_id": .integer, "caption": .text, "media_url": .text, "category": .text,
            "link": .text, "created_at": .integer, "visibility": .text, "community_id": .integer, "title": .text,
            "thumbnail_url": .text, "media_id": .integer, "thumbnail_id": .integer, "updated_at": .integer,
            "members_only": .integer,
        ])
    private static let countOfAuthor = "UPDATE account SET posts_count = posts_count + ?2 WHERE id = ?1"
    private static let authorRows = RowInsertion(into: "author_post", ["author_id": .integer, "post_id": .integer])
    private static let tagRows = RowInsertion(
        into: "post_tag", ["post_id": .integer, "ordinal": .integer, "tag": .text, "tag_key": .text])

    /// Invites collaborators; returns those whose invitations are accepted at once.
    private func insertCollaborators(
        _ collaborators: [UserID], of post: PostID, author: UserID, by inviter: CollaborationStore.Inviter
    ) throws -> [UserID] {
        let users = Array(collaborators.uniqued())
        let statuses = try CollaborationStore.Writer(transaction).invite(
            users, to: post, of: author, from: 1, by: inviter)
        return zip(users, statuses).filter { $0.1 == .accepted }.map(\.0)
    }

    /// Condition for a post to be counted: moderators do not hide it.
    package static let unhiddenPost = "held_at IS NULL AND removed_at IS NULL AND taken_down_at IS NULL"

    /// Adds `step` (1 or -1) to the counts of posts of its authors, because moderators show the post again or have
    /// hidden it.
    package func countPost(_ id: PostID, _ step: Int64) throws {
        try transaction.execute(Self.countPostStatement, [.post(id), .integer(step)])
    }

    static let countPostStatement = """
        UPDATE account SET posts_count = posts_count + ?2
        WHERE id IN (SELECT author_id FROM author_post WHERE post_id = ?1)
        """

    func retract(_ id: PostID, by owner: UserID) throws {
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
                AND EXISTS (SELECT 1 FROM post WHERE id = ?1 AND \(Self.unhiddenPost))
            """, [.post(id)])
        try transaction.execute("DELETE FROM author_post WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM post_tag WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM post_attribute WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM topic_post WHERE post_id = ?1", [.post(id)])
        try transaction.execute("DELETE FROM community_pin WHERE post_id = ?1", [.post(id)])
        transaction.index(.post(id))
        try transaction.graphHooks?.discovery.delete(id, transaction)
        try transaction.endScreening(of: .post(id))
        try OutboxStore.Writer(transaction).enqueue(.remove(post: id, author: owner))
        try transaction.record(.postDeleted(id, author: owner))
    }
}
