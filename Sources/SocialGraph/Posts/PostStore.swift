import Database

/// Posts.
package struct PostStore: Sendable {
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

extension PostStore {
    /// The live posts among `ids` (not deleted, not taken down, with an author who is not suspended), in the order of
    /// `ids`.
    package func posts(_ ids: [PostID]) async throws -> [Post] {
        try await database.read { try Reader($0).posts(ids) }
    }
}

extension PostStore.Reader {
    /// The posts among `ids`, in the order of `ids`, with all their parts, in one round trip.
    package func posts(_ ids: some Sequence<PostID>, _ query: ListQuery = Self.livePosts) throws -> [Post] {
        let ids = Array(ids)
        var queries: [SQLQuery] = []
        var parts: [PostPart] = []
        let values = ids.map(SQLValue.post)
        for part in PostPart.allCases {
            queries += (part.query ?? query).queries(values)
            while parts.count < queries.count { parts.append(part) }
        }
        var drafts = PostDrafts()
        try reader.fetch(queries) { index, row in
            try drafts.add(parts[index], row)
            return true
        }
        return try drafts.posts(ids)
    }

    /// Throws ``GraphError/postNotFound`` if the post does not exist or has been deleted.
    package func requireLive(_ post: PostID) throws {
        guard try reader.exist([Self.liveProbe(post)])[0] else { throw GraphError.postNotFound }
    }

    /// A query that finds a row if the post exists and has not been deleted.
    package static func liveProbe(_ post: PostID) -> SQLQuery {
        SQLQuery("SELECT 1 FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(post)])
    }

    /// Throws ``GraphError/postNotFound``, and ``GraphError/notAuthor`` if `author` has not published it.
    func requireOwner(of post: PostID, _ author: UserID) throws {
        let owner = try reader.first(
            "SELECT author_id FROM post WHERE id = ?1 AND deleted_at IS NULL", [.post(post)]
        ) { UserID(rawValue: $0.integer(0)) }
        guard let owner else { throw GraphError.postNotFound }
        guard owner == author else { throw GraphError.notAuthor }
    }

    /// The author and the collaborators who have accepted; empty for a deleted post.
    func authors(of post: PostID) throws -> [UserID] {
        try reader.rows(Self.authorsQuery, [.post(post)]) { UserID(rawValue: $0.integer(0)) }
    }

    static let authorsQuery = "SELECT author_id FROM author_post WHERE post_id = ?1"

    package func isAuthor(_ user: UserID, of post: PostID) throws -> Bool {
        try reader.exists(
            "SELECT 1 FROM author_post WHERE author_id = ?1 AND post_id = ?2", [.user(user), .post(post)])
    }

    static let livePosts = ListQuery { list in
        """
        \(storedPostQuery(list)) AND p.taken_down_at IS NULL AND a.deleted_at IS NULL
            AND (a.suspended_at IS NULL OR EXISTS (
                SELECT 1 FROM author_post ap JOIN account u ON u.id = ap.author_id
                WHERE ap.post_id = p.id AND u.deleted_at IS NULL AND u.suspended_at IS NULL))
        """
    }

    /// Posts with a row, including those that are hidden from everybody. No index of live posts serves the statement,
    /// as in ``AudienceStore/Reader/sharedAuthorshipQuery``.
    package static let storedPosts = ListQuery(storedPostQuery)

    private static func storedPostQuery(_ list: String) -> String {
        """
        SELECT p.id, p.author_id, a.username, p.caption, p.media_url, p.category, p.link,
               p.likes_count, p.comments_count, p.shares_count, p.created_at,
               p.visibility, p.community_id, c.name, p.members_only + c.is_private, p.removed_at, p.title,
               p.thumbnail_url, p.updated_at, p.held_at, a.suspended_at, a.silenced_at, p.commenters_count,
               p.sharers_count, a.is_private, (SELECT m.renditions FROM media m WHERE m.id = p.media_id)
        FROM post p JOIN account a ON a.id = p.author_id LEFT JOIN community c ON c.id = p.community_id
        WHERE p.id IN (\(list)) AND COALESCE(p.deleted_at, 0) = 0
        """
    }

    static let tagsQuery = "SELECT tag FROM post_tag WHERE post_id = ?1 ORDER BY ordinal"
}

extension Post {
    init(row: any SQLRow) throws {
        id = PostID(rawValue: row.integer(0))
        author = UserID(rawValue: row.integer(1))
        authorUsername = row.text(2)
        caption = row.text(3)
        mediaURL = row.text(4)
        category = row.optionalText(5)
        link = row.optionalText(6)
        counts = EngagementCounts(likes: row.integer(7), comments: row.integer(8), shares: row.integer(9))
        people = EngagementCounts(likes: row.integer(7), comments: row.integer(22), shares: row.integer(23))
        createdAt = row.integer(10)
        visibility = try row.choice(11)
        community = row.optionalInteger(12).map {
            PostCommunity(
                id: CommunityID(rawValue: $0), name: row.text(13), isForMembers: row.integer(14) != 0,
                isRemoved: row.optionalInteger(15) != nil)
        }
        title = row.optionalText(16)
        thumbnailURL = row.optionalText(17)
        renditions = row.optionalText(25)
        updatedAt = row.integer(18)
        isHeld = row.optionalInteger(19) != nil
        isAuthorSuspended = row.optionalInteger(20) != nil
        isAuthorSilenced = row.optionalInteger(21) != nil
        isAuthorPrivate = row.integer(24) != 0
        attributes = [:]
        topics = []
        categoryTopic = nil
        algorithmTags = []
        collaborators = []
    }
}
