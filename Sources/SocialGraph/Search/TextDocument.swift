import Database

/// The document that an index holds for a post, an account or a community, read from the tables.
package enum TextDocument {
    /// The texts of its columns, in their order; nil: there is nothing to index.
    static func texts(of subject: TextSubject, _ reader: any SQLReader) throws -> [String]? {
        try subject.texts(reader)
    }

    /// The word that stands for an author. A name may change, and every document of its posts would change with it.
    /// Names are therefore searched first, and then the posts of users with those names.
    static func word(for author: UserID) -> String { "u\(author.rawValue)" }

    static func post(_ id: PostID, _ reader: any SQLReader) throws -> [String]? {
        let stored = try reader.first(postQuery, [.post(id)]) { row in (0...2).map { row.optionalText($0) ?? "" } }
        guard let stored else { return nil }
        let tags = try reader.rows(PostStore.Reader.tagsQuery, [.post(id)]) { $0.text(0) }
        let authors = try PostStore.Reader(reader).authors(of: id)
        return texts(title: stored[0], caption: stored[1], tags: tags, category: stored[2], authors: authors)
    }

    /// The texts of a post that is being published.
    static func texts(of post: NewPost, by authors: [UserID]) -> [String] {
        texts(
            title: post.title ?? "", caption: post.caption,
            tags: PostStore.Writer.distinct(post.algorithmTags).map(\.tag),
            category: post.category ?? "", authors: authors)
    }

    private static func texts(
        title: String, caption: String, tags: [String], category: String, authors: [UserID]
    ) -> [String] {
        [title, caption, tags.joined(separator: "\n"), category].map(NameFolding.key)
            + [authors.map(word).joined(separator: " ")]
    }

    static let postQuery = """
        SELECT title, caption, category FROM post WHERE id = ?1 AND deleted_at IS NULL AND taken_down_at IS NULL
        """

    static func community(_ id: CommunityID, _ reader: any SQLReader) throws -> [String]? {
        try reader.first(communityQuery, [.community(id)]) { [NameFolding.key($0.text(0))] }
    }

    static func account(_ id: UserID, _ reader: any SQLReader) throws -> [String]? {
        try reader.first(accountQuery, [.user(id)]) { row in (0...2).map { NameFolding.key(row.text($0)) } }
    }

    /// The texts of an account that has nothing but a name. `key`: the username, folded.
    package static func texts(ofAccountNamed key: String) -> [String] { [key, "", ""] }

    static let accountQuery = "SELECT username, display_name, bio FROM account WHERE id = ?1 AND deleted_at IS NULL"
    static let communityQuery = "SELECT name FROM community WHERE id = ?1"
}
