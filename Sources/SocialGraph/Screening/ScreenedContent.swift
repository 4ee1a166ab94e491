import Database

/// A post or comment as rules see it.
package struct ScreenedContent {
    package let subject: ModerationSubject
    package let author: UserID
    package let username: String
    /// The community of the post, or of the post that the comment is on.
    package let community: CommunityID?
    /// Caption or comment first, then everything else that others read: its links, tags and attributes, and the texts
    /// of its video.
    package let texts: [String]

    package var text: String { texts.first ?? "" }

    /// The content of a post or comment; nil: it does not exist any more.
    ///
    /// - Parameter discovery: reads the texts of videos; nil: there are none.
    package init?(
        _ subject: ModerationSubject, _ reader: any SQLReader, _ discovery: (any GraphDiscovery)?
    ) throws {
        var texts: [String] = []
        let query =
            switch subject {
            case .post: Self.postQuery
            case .comment: Self.commentQuery
            default: preconditionFailure("only posts and comments are judged")
            }
        let found = try reader.first(query, [.integer(subject.rawValue)]) { row in
            texts = (3...8).compactMap(row.optionalText)
            return (
                author: UserID(rawValue: row.integer(0)), name: row.text(1),
                community: row.optionalInteger(2).map(CommunityID.init(rawValue:))
            )
        }
        guard let found else { return nil }
        if case .post(let post) = subject {
            texts += try reader.rows(PostStore.Reader.tagsQuery, [.post(post)]) { $0.text(0) }
            texts += try reader.rows(Self.attributesQuery, [.post(post)]) { $0.text(0) }
            texts += try reader.rows(Self.attributeNamesQuery, [.post(post)]) { $0.text(0) }.sorted()
            texts += try discovery?.videoTexts(of: post, reader) ?? []
        }
        self.subject = subject
        author = found.author
        username = found.name
        community = found.community
        self.texts = texts
    }

    /// The content of `subject`; nil: it does not exist any more.
    package init?(_ subject: ModerationSubject, in transaction: any GraphTransaction) throws {
        try self.init(subject, transaction, transaction.graphHooks?.discovery)
    }

    static let postQuery = """
        SELECT p.author_id, a.username, p.community_id, p.caption, p.title, p.link, p.category, p.media_url,
            p.thumbnail_url
        FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = ?1 AND p.deleted_at IS NULL
        """

    static let commentQuery = """
        SELECT c.user_id, a.username, p.community_id, c.content, NULL, NULL, NULL, NULL, NULL
        FROM comment c JOIN account a ON a.id = c.user_id JOIN post p ON p.id = c.post_id
        WHERE c.id = ?1 AND c.deleted_at IS NULL
        """

    static let attributesQuery =
        "SELECT text_value FROM post_attribute WHERE post_id = ?1 AND text_value IS NOT NULL ORDER BY name, ordinal"

    static let attributeNamesQuery = "SELECT DISTINCT name FROM post_attribute WHERE post_id = ?1"

    /// Texts of a new post, in the form in which they will be read back.
    static func texts(of post: NewPost) -> [String] {
        let attributes = post.attributes.sorted { $0.key < $1.key }.flatMap { $0.value.cells.compactMap(\.text) }
        return [post.caption, post.title, post.link, post.category, post.mediaURL, post.thumbnailURL].compactMap(\.self)
            + post.distinctTags.map(\.tag) + attributes + post.attributes.keys.sorted()
    }

    /// Texts of `post` in its stored form, with `change` applied.
    static func texts(
        of post: PostID, with change: PostChange, _ reader: any SQLReader, _ discovery: (any GraphDiscovery)?
    ) throws -> (community: CommunityID?, texts: [String])? {
        guard let content = try ScreenedContent(.post(post), reader, discovery) else { return nil }
        let own = try reader.first(ownTextsQuery, [.post(post)]) { row in (0..<6).map(row.optionalText) } ?? []
        var edited = own
        if let caption = change.caption { edited[0] = caption }
        if let title = change.title { edited[1] = title.text }
        if let link = change.link { edited[2] = link.text }
        if let thumbnail = change.thumbnailURL { edited[5] = thumbnail.text }
        return (content.community, edited.compactMap(\.self) + content.texts.dropFirst(own.compactMap(\.self).count))
    }

    static let ownTextsQuery = """
        SELECT caption, title, link, category, media_url, thumbnail_url FROM post WHERE id = ?1 AND deleted_at IS NULL
        """

    /// Texts of `post` in its stored form, without those of its video.
    package static func textsBesideVideo(
        of post: PostID, _ reader: any SQLReader
    ) throws -> (community: CommunityID?, texts: [String])? {
        try ScreenedContent(.post(post), reader, nil).map { ($0.community, $0.texts) }
    }

    package static let postsQuery = """
        SELECT post_id FROM author_post WHERE author_id = ?1 AND post_id > ?2 AND post_id <= ?3
        ORDER BY post_id DESC LIMIT ?4
        """

    package static let commentsQuery = """
        SELECT id FROM comment WHERE user_id = ?1 AND id > ?2 AND id <= ?3 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT ?4
        """

    package static let postsInQuery = """
        SELECT ap.post_id FROM author_post ap JOIN post p ON p.id = ap.post_id
        WHERE ap.author_id = ?1 AND ap.post_id > ?2 AND ap.post_id <= ?3 AND COALESCE(p.community_id, 0) = ?5
        ORDER BY ap.post_id DESC LIMIT ?4
        """

    package static let commentsInQuery = """
        SELECT c.id FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND c.id > ?2 AND c.id <= ?3 AND c.deleted_at IS NULL AND COALESCE(p.community_id, 0) = ?5
        ORDER BY c.id DESC LIMIT ?4
        """
}
