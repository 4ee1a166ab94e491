/// A post or comment as rules see it.
struct ScreenedContent {
    let subject: ModerationSubject
    let author: UserID
    let username: String
    let accountCreatedAt: Int64
    /// Of the post, or of the post that the comment is on.
    let community: CommunityID?
    /// Caption or comment first, then all else that it says, its link among that.
    let texts: [FoldedText]
    /// The first of them as it was written.
    let text: String

    /// When it was written, in milliseconds since 1970.
    var writtenAt: Int64 { IDSequence.milliseconds(of: subject.rawValue) }

    /// Nil: it is gone.
    init?(_ subject: ModerationSubject, _ reader: any SQLReader) throws {
        var texts: [String] = []
        let query =
            switch subject {
            case .post: Self.postQuery
            case .comment: Self.commentQuery
            default: preconditionFailure("only posts and comments are judged")
            }
        let found = try reader.first(query, [.integer(subject.rawValue)]) { row in
            texts = (4...7).compactMap(row.optionalText)
            return (
                author: UserID(rawValue: row.integer(0)), name: row.text(1), since: row.integer(2),
                community: row.optionalInteger(3).map(CommunityID.init(rawValue:))
            )
        }
        guard let found else { return nil }
        if case .post(let post) = subject {
            texts += try reader.rows(GraphStore.tagsQuery, [.post(post)]) { $0.text(0) }
            texts += try reader.rows(Self.attributesQuery, [.post(post)]) { $0.text(0) }
        }
        self.subject = subject
        author = found.author
        username = found.name
        accountCreatedAt = found.since
        community = found.community
        text = texts.first ?? ""
        self.texts = texts.map(FoldedText.init)
    }

    static let postQuery = """
        SELECT p.author_id, a.username, a.created_at, p.community_id, p.caption, p.title, p.link, p.category
        FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = ?1 AND p.deleted_at IS NULL
        """

    static let commentQuery = """
        SELECT c.user_id, a.username, a.created_at, p.community_id, c.content, NULL, NULL, NULL
        FROM comment c JOIN account a ON a.id = c.user_id JOIN post p ON p.id = c.post_id
        WHERE c.id = ?1 AND c.deleted_at IS NULL
        """

    static let attributesQuery =
        "SELECT text_value FROM post_attribute WHERE post_id = ?1 AND text_value IS NOT NULL ORDER BY name, ordinal"

    /// Posts and comments by the same author, this one included, in the `seconds` before it was written; of one
    /// community, or (nil) in all. Counts to `limit`.
    func written(
        within seconds: Int64, in community: CommunityID?, upTo limit: Int64, _ reader: any SQLReader
    ) throws -> Int64 {
        let first = IDSequence.first(at: writtenAt - seconds * Milliseconds.second)
        var count: Int64 = 0
        for query in community == nil
            ? [Self.postsQuery, Self.commentsQuery] : [Self.postsInQuery, Self.commentsInQuery]
        {
            var arguments: [SQLValue] = [
                .user(author), .integer(first), .integer(subject.rawValue), .integer(limit),
            ]
            if let community { arguments.append(.community(community)) }
            try reader.forEach(query, arguments) { _ in
                count += 1
                return count < limit
            }
        }
        return count
    }

    /// Posts that the author had published before, counted to `limit`.
    func postsBefore(upTo limit: Int64, _ reader: any SQLReader) throws -> Int64 {
        var count: Int64 = 0
        try reader.forEach(
            Self.postsQuery, [.user(author), .integer(0), .integer(subject.rawValue - 1), .integer(limit)]
        ) { _ in
            count += 1
            return count < limit
        }
        return count
    }

    static let postsQuery = """
        SELECT post_id FROM author_post WHERE author_id = ?1 AND post_id > ?2 AND post_id <= ?3
        ORDER BY post_id DESC LIMIT ?4
        """

    static let commentsQuery = """
        SELECT id FROM comment WHERE user_id = ?1 AND id > ?2 AND id <= ?3 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT ?4
        """

    static let postsInQuery = """
        SELECT ap.post_id FROM author_post ap JOIN post p ON p.id = ap.post_id
        WHERE ap.author_id = ?1 AND ap.post_id > ?2 AND ap.post_id <= ?3 AND COALESCE(p.community_id, 0) = ?5
        ORDER BY ap.post_id DESC LIMIT ?4
        """

    static let commentsInQuery = """
        SELECT c.id FROM comment c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND c.id > ?2 AND c.id <= ?3 AND c.deleted_at IS NULL AND COALESCE(p.community_id, 0) = ?5
        ORDER BY c.id DESC LIMIT ?4
        """
}
