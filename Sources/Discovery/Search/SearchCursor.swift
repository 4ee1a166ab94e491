import Database
import SocialGraph

/// A position in a list of posts, encoded as an id, or as a position in a stored ranking, `<ranking>.<offset>`.
package enum SearchCursor: Sendable, Equatable {
    /// The page continues below this post.
    case below(PostID)
    case ranked(RankingCursor)

    /// Parses a cursor; nil for other text. Each cursor has one spelling.
    package init?(_ text: String) {
        if let ranked = RankingCursor(text) {
            self = .ranked(ranked)
        } else if let id = Int64(text), (1...IDSequence.maximum).contains(id), String(id) == text {
            self = .below(PostID(rawValue: id))
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .below(let post): String(post.rawValue)
        case .ranked(let cursor): cursor.text
        }
    }
}
