import Database
import Text

/// The document that an index holds for a post, an account or a community, read from the tables.
package enum TextDocument {
    /// The texts of its columns, in their order; nil: there is nothing to index.
    static func texts(of subject: TextSubject, _ reader: any SQLReader) throws -> [String]? {
        try subject.texts(reader)
    }

    /// The word that stands for an author. A name may change, and every document of its posts would change with it.
    /// Names are therefore searched first, and then the posts of users with those names.
    static func word(for author: UserID) -> String { "u\(author.rawValue)" }

    /// The documents of `ids`, in one round trip.
    static func posts(_ ids: [PostID], _ reader: any SQLReader) throws -> [[String]?] {
        var stored = [StoredPost](repeating: StoredPost(), count: ids.count)
        let parts = [postQuery, PostStore.Reader.tagsQuery, attributesQuery, PostStore.Reader.authorsQuery]
        try reader.fetch(ids.flatMap { id in parts.map { SQLQuery($0, [.post(id)]) } }) { index, row in
            let post = index / parts.count
            switch index % parts.count {
            case 0: stored[post].own = (0...2).map { row.optionalText($0) ?? "" }
            case 1: stored[post].tags.append(row.text(0))
            case 2: stored[post].attributes.append(row.text(0))
            default: stored[post].authors.append(UserID(rawValue: row.integer(0)))
            }
            return true
        }
        return stored.map { post in
            post.own.map {
                texts(
                    title: $0[0], caption: $0[1], tags: post.tags, category: $0[2], attributes: post.attributes,
                    authors: post.authors)
            }
        }
    }

    /// The texts of a post that is being published.
    static func texts(of post: NewPost, by authors: [UserID]) -> [String] {
        texts(
            title: post.title ?? "", caption: post.caption,
            tags: post.distinctTags.map(\.tag),
            category: post.category ?? "", attributes: post.attributes.values.flatMap(\.cells).compactMap(\.text),
            authors: authors)
    }

    private static func texts(
        title: String, caption: String, tags: [String], category: String, attributes: [String], authors: [UserID]
    ) -> [String] {
        [title, caption, tags.joined(separator: "\n"), category, attributes.joined(separator: "\n")]
            .map(NameFolding.key) + [authors.map(word).joined(separator: " ")]
    }

    static let postQuery = """
        SELECT title, caption, category FROM post WHERE id = ?1 AND deleted_at IS NULL AND taken_down_at IS NULL
        """

    /// The texts, and the entries of lists.
    static let attributesQuery = "SELECT text_value FROM post_attribute WHERE post_id = ?1 AND text_key IS NOT NULL"

    static func communities(_ ids: [CommunityID], _ reader: any SQLReader) throws -> [[String]?] {
        try reader.first(of: ids.map { SQLQuery(communityQuery, [.community($0)]) }) { [NameFolding.key($0.text(0))] }
    }

    static func accounts(_ ids: [UserID], _ reader: any SQLReader) throws -> [[String]?] {
        try reader.first(of: ids.map { SQLQuery(accountQuery, [.user($0)]) }) { row in
            (0...2).map { NameFolding.key(row.text($0)) }
        }
    }

    /// The texts of an account that has nothing but a name. `key`: the username, folded.
    package static func texts(ofAccountNamed key: String) -> [String] { [key, "", ""] }

    static let accountQuery = "SELECT username, display_name, bio FROM account WHERE id = ?1 AND deleted_at IS NULL"
    static let communityQuery = "SELECT name FROM community WHERE id = ?1"
}

/// The parts of a post's document.
private struct StoredPost {
    /// Title, caption and category; nil: there is nothing to index.
    var own: [String]?
    var tags: [String] = []
    var attributes: [String] = []
    var authors: [UserID] = []
}
