import Database
import Text

extension TextIndex {
    /// Posts. An author is a word with few documents, so it weighs much by itself.
    package static let posts = TextIndex(
        table: "post_text",
        columns: ["title": 8, "caption": 1, "tags": 4, "category": 3, "attributes": 2, "authors": 0.5]
    ) { try TextDocument.posts($0.map(PostID.init(rawValue:)), $1) }

    static let accounts = TextIndex(
        table: "account_text", columns: ["username": 8, "display_name": 4, "bio": 1]
    ) { try TextDocument.accounts($0.map(UserID.init(rawValue:)), $1) }

    static let communities = TextIndex(table: "community_text", columns: ["name": 1]) {
        try TextDocument.communities($0.map(CommunityID.init(rawValue:)), $1)
    }

    /// All indexes, each with the table of its subjects.
    package static var withSubjects: [(index: TextIndex, table: String)] {
        [(posts, "post"), (accounts, "account"), (communities, "community")]
    }
}

extension TextSubject {
    package static func post(_ id: PostID) -> TextSubject { TextSubject(.posts, id.rawValue) }
    package static func account(_ id: UserID) -> TextSubject { TextSubject(.accounts, id.rawValue) }
    package static func community(_ id: CommunityID) -> TextSubject { TextSubject(.communities, id.rawValue) }
}

extension TextVocabulary {
    /// The words of posts, without their authors.
    package static let posts = TextVocabulary(.posts, table: "post_word", ignoring: "authors")
    /// The names of people.
    package static let names = TextVocabulary(.accounts, table: "account_word", ignoring: "bio")
}

extension TextQuery.Scope {
    /// The texts of posts, and their authors.
    package static let posts = Self(.posts, columns: "title caption tags category attributes", standIns: "authors")
    /// Usernames and display names.
    package static let names = Self(.accounts, columns: "username display_name")
    /// Names and bios.
    package static let profiles = Self(.accounts, columns: "username display_name bio")
    /// Names of communities.
    package static let communities = Self(.communities, columns: "name")
}

extension TextQuery {
    /// A query for `words`, the last one as a prefix; nil: there are no words.
    package init?(_ scope: Scope, _ words: SearchWords) {
        guard let last = words.words.last else { return nil }
        let whole = words.words.dropLast().map { Term(word: $0, isBeginning: false) }
        self.init(scope, whole + [Term(word: last, isBeginning: true)])
    }
}

extension TextQuery.Term {
    /// - Parameters:
    ///   - word: one of ``SearchWords``.
    ///   - authors: users each of whom stands for the word, as an author.
    package init(word: String, isBeginning: Bool, authors: [UserID] = []) {
        self.init(word: word, isBeginning: isBeginning, standIns: authors.map(TextDocument.word))
    }
}
