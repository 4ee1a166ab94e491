/// A query for documents that have all of some words.
package struct TextQuery: Sendable, Equatable {
    /// The texts that are searched for words.
    package struct Scope: Sendable, Equatable {
        package let index: TextIndex
        /// Names of columns, with spaces between them.
        package let columns: String
        /// The column of stand-in words; nil: there is none.
        package let standIns: String?

        package init(_ index: TextIndex, columns: String, standIns: String? = nil) {
            self.index = index
            self.columns = columns
            self.standIns = standIns
        }
    }

    package struct Term: Sendable, Equatable {
        package let word: String
        /// True if the word is a prefix.
        package let isBeginning: Bool
        /// Words of the scope's stand-in column, any of which matches as well.
        package let standIns: [String]

        package init(word: String, isBeginning: Bool, standIns: [String]) {
            self.word = word
            self.isBeginning = isBeginning
            self.standIns = standIns
        }
    }

    package let scope: Scope
    /// The terms; not empty.
    package let terms: [Term]

    package init(_ scope: Scope, _ terms: [Term]) {
        precondition(!terms.isEmpty, "what is searched must have a word")
        self.scope = scope
        self.terms = terms
    }
}
