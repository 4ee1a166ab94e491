/// Words of which a document must have all.
package struct TextQuery: Sendable, Equatable {
    /// The texts in which words are looked for.
    package struct Scope: Sendable, Equatable {
        package let index: TextIndex
        /// Names of columns, with spaces between them.
        let columns: String
        /// The column of words that stand for others; nil: there is none.
        let standIns: String?

        package init(_ index: TextIndex, columns: String, standIns: String? = nil) {
            self.index = index
            self.columns = columns
            self.standIns = standIns
        }
    }

    package struct Term: Sendable, Equatable {
        package let word: String
        /// Also words that begin like this.
        package let isBeginning: Bool
        /// Words of the scope's column of stand-ins, each of which does as well.
        package let standIns: [String]

        package init(word: String, isBeginning: Bool, standIns: [String]) {
            self.word = word
            self.isBeginning = isBeginning
            self.standIns = standIns
        }
    }

    package let scope: Scope
    /// Not empty.
    package let terms: [Term]

    package init(_ scope: Scope, _ terms: [Term]) {
        precondition(!terms.isEmpty, "what is searched must have a word")
        self.scope = scope
        self.terms = terms
    }
}
