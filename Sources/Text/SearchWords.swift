import Foundation

/// The words of a search. Everything else in the text, operators and quotes of a query language included, only
/// separates them.
package struct SearchWords: Sendable, Equatable {
    /// Words of a search that count; further ones are ignored.
    package static let most = 16

    /// Folded, in their order, without duplicates; the last one is a prefix. At most ``most``.
    package let words: [String]

    package init(_ text: String) {
        var words: [String] = []
        let runs = Self.runs(in: NameFolding.key(text))
        for (index, run) in runs.enumerated() where index == runs.count - 1 || !words.contains(run) {
            words.append(run)
            if words.count == Self.most { break }
        }
        self.words = words
    }

    private init(words: [String]) { self.words = words }

    /// The words with another word at `place`; nil: they contain that word already.
    package func replacing(_ place: Int, with word: String) -> SearchWords? {
        guard !words.contains(word) else { return nil }
        var changed = words
        changed[place] = word
        return SearchWords(words: changed)
    }

    /// Returns `word` without its diacritics, in the form that an index holds.
    package static func bare(_ word: String) -> String {
        word.folding(options: .diacriticInsensitive, locale: nil)
    }

    /// Runs of letters and digits, with the marks that belong to them.
    private static func runs(in text: String) -> [String] {
        var runs: [String] = []
        var run = String.UnicodeScalarView()
        func end() {
            if run.contains(where: isLetter) { runs.append(String(run)) }
            run.removeAll()
        }
        for scalar in text.unicodeScalars {
            if isLetter(scalar) || isMark(scalar) { run.append(scalar) } else { end() }
        }
        end()
        return runs
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }
}
