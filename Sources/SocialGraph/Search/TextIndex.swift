/// A full-text index of the engine.
package enum TextIndex: Sendable {
    case posts, accounts, communities
}

/// What an index holds one document of.
package enum TextSubject: Sendable, Hashable {
    case post(PostID)
    case account(UserID)
    case community(CommunityID)
}

/// What an engine's full-text indexes answer: ids and ranks, nothing else. What is filtered, and who may see it, is for
/// portable statements and the visibility rule.
///
/// Letter case and diacritics make no difference, and neither do compatible spellings of Unicode where words come from
/// ``SearchWords``.
package protocol TextSearch {
    /// Up to `limit` ids of documents that match `query`, strictly below `bound`, the highest first.
    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64]

    /// How well those of `ids` that match `query` do (BM25, title before tags and categories before captions): the
    /// larger, the better.
    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double]

    /// Those of `words`, folded, that a post has in what it says itself, or somebody in a name, in the order of their
    /// bytes. The index of words is entered `limit` times at most, and only where one of `words` may stand.
    func known(among words: [String], limit: Int) throws -> KnownWords
}

/// Words that an index has.
package struct KnownWords: Sendable, Equatable {
    package let words: [String]
    /// Number of look-ups in the index of words.
    package let lookUps: Int
}

/// Words of which a document must have all.
package struct TextQuery: Sendable, Equatable {
    /// Where words are looked for.
    package enum Scope: Sendable, Equatable {
        /// What posts say, and their authors.
        case posts
        /// Usernames and display names.
        case names
        /// Names, and what people say of themselves.
        case profiles
        /// Names of communities.
        case communities

        var index: TextIndex {
            switch self {
            case .posts: .posts
            case .names, .profiles: .accounts
            case .communities: .communities
            }
        }
    }

    package struct Term: Sendable, Equatable {
        /// Of ``SearchWords``.
        package let word: String
        /// Also words that begin like this.
        package let isBeginning: Bool
        /// Users of whom each stands for the word, as an author.
        package let authors: [UserID]

        package init(word: String, isBeginning: Bool, authors: [UserID] = []) {
            self.word = word
            self.isBeginning = isBeginning
            self.authors = authors
        }
    }

    package let scope: Scope
    /// Not empty.
    package let terms: [Term]

    /// `words`, of the last of which a beginning is enough; nil where there are none.
    package init?(_ scope: Scope, _ words: SearchWords) {
        guard let last = words.words.last else { return nil }
        let whole = words.words.dropLast().map { Term(word: $0, isBeginning: false) }
        self.init(scope, whole + [Term(word: last, isBeginning: true)])
    }

    package init(_ scope: Scope, _ terms: [Term]) {
        precondition(!terms.isEmpty, "what is searched must have a word")
        self.scope = scope
        self.terms = terms
    }
}
