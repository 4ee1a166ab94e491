import CommandSupport
import SocialGraph
import Text

/// The names of the columns of a file.
struct PostColumns: Sendable, Equatable {
    var author = "author"
    var caption = "caption"
    var media = "media_url"
    /// Nil: the column of the first name of ``defaultCategories`` or ``defaultTags`` in the header, if there is one.
    var category: String?
    var tags: String?
    var link: String?
    var created: String?

    static let defaultCategories = ["category"]
    static let defaultTags = ["tags", "algorithmTags"]

    /// Returns their places in `header`. Throws ``CommandFailure`` for a column that does not occur exactly once.
    func places(in header: [String]) throws -> Places {
        func place(_ name: String) throws -> Int {
            let found = header.indices.filter { header[$0] == name }
            guard found.count == 1 else {
                throw CommandFailure(
                    "The header has \(found.isEmpty ? "no" : "more than one") column \"\(name)\". Name one of: "
                        + header.map(\.echoed).joined(separator: ", ") + ".")
            }
            return found[0]
        }
        func known(_ names: [String]) throws -> Int? { try names.first(where: header.contains).map(place) }
        return Places(
            count: header.count, author: try place(author), caption: try place(caption), media: try place(media),
            category: try category.map(place) ?? known(Self.defaultCategories),
            tags: try tags.map(place) ?? known(Self.defaultTags), link: try link.map(place),
            created: try created.map(place))
    }

    struct Places: Sendable, Equatable {
        let count: Int
        let author: Int
        let caption: Int
        let media: Int
        let category: Int?
        let tags: Int?
        let link: Int?
        let created: Int?
    }
}
