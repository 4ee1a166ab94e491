import Database

/// A post or comment as rules see it.
package struct ScreenedContent {
    package let subject: ModerationSubject
    package let author: UserID
    package let username: String
    /// Of the post, or of the post that the comment is on.
    package let community: CommunityID?
    /// Caption or comment first, then all else that others read: its links, tags and attributes, what its segments are
    /// called, and what its transcript says.
    package let texts: [String]

    package var text: String { texts.first ?? "" }

    /// Nil: it is gone.
    package init?(_ subject: ModerationSubject, _ reader: any SQLReader) throws {
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
            texts += try Self.segmentTexts(of: post, reader)
        }
        self.subject = subject
        author = found.author
        username = found.name
        community = found.community
        self.texts = texts
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

    /// Texts of a new post, as they will be read back.
    static func texts(of post: NewPost) -> [String] {
        let attributes = post.attributes.sorted { $0.key < $1.key }.flatMap { $0.value.cells.compactMap(\.text) }
        return [post.caption, post.title, post.link, post.category, post.mediaURL, post.thumbnailURL].compactMap(\.self)
            + PostStore.Writer.distinct(post.algorithmTags).map(\.tag) + attributes + post.attributes.keys.sorted()
    }

    /// Texts of `post` as it is, with `change`.
    static func texts(
        of post: PostID, with change: PostChange, _ reader: any SQLReader
    ) throws -> (community: CommunityID?, texts: [String])? {
        guard let content = try ScreenedContent(.post(post), reader) else { return nil }
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

    /// Texts of `post` with other labels or another transcript (WebVTT as it is stored); nil stays as it is.
    static func texts(
        of post: PostID, labels: [String]?, transcript: String??, _ reader: any SQLReader
    ) throws -> (community: CommunityID?, texts: [String])? {
        guard let content = try ScreenedContent(.post(post), reader) else { return nil }
        let own = try segmentTexts(of: post, reader)
        let stored = try reader.first(SegmentStore.transcriptQuery, [.post(post)]) { $0.optionalText(0) } ?? nil
        let spoken = (transcript ?? stored).map(spoken) ?? []
        let written = try labels ?? reader.rows(labelsQuery, [.post(post)]) { $0.text(0) }
        return (content.community, content.texts.dropLast(own.count) + written.sorted() + spoken)
    }

    /// Labels, sorted, and what is said.
    private static func segmentTexts(of post: PostID, _ reader: any SQLReader) throws -> [String] {
        let labels = try reader.rows(labelsQuery, [.post(post)]) { $0.text(0) }
        let transcript = try reader.first(SegmentStore.transcriptQuery, [.post(post)]) { $0.optionalText(0) } ?? nil
        return labels.sorted() + (transcript.map(spoken) ?? [])
    }

    static let labelsQuery = "SELECT label FROM segment WHERE post_id = ?1"

    /// Lines of a stored transcript without the head and the times, so that a phrase may go on in the next cue.
    private static func spoken(_ transcript: String) -> [String] {
        var spoken: [UInt8] = []
        for line in transcript.utf8.split(separator: 0x0A).dropFirst() {
            // Text has no arrows: they are written as references.
            if isTiming(line) { continue }
            spoken += line
            spoken.append(0x0A)
        }
        return spoken.isEmpty ? [] : [String(decoding: spoken, as: UTF8.self)]
    }

    private static func isTiming(_ line: Substring.UTF8View) -> Bool {
        var dashes = 0
        for byte in line {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
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
