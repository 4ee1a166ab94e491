/// The muted words of a reader, compiled for searches in one pass over a text.
package struct MutedWords: Sendable {
    private let matchers: [KeywordMatcher]
    /// An approximate size, in units of one followee.
    package let weight: Int

    /// Nil: there are none.
    package init?(_ words: [(word: String, isWhole: Bool)]) {
        guard !words.isEmpty else { return nil }
        matchers = [true, false].compactMap { isWhole in
            let alike = words.filter { $0.isWhole == isWhole }.map(\.word)
            return alike.isEmpty ? nil : KeywordMatcher(alike, wholeWords: isWhole)
        }
        // Folding may make many scalars of one.
        weight = matchers.reduce(0) { $0 + 8 * $1.nodeCount }
    }

    /// Returns a muted word that `text` contains, in its folded spelling.
    package func firstMatch(in text: FoldedText) -> String? {
        for matcher in matchers {
            guard let range = matcher.firstMatch(in: text.skeleton) else { continue }
            return FoldedText.excerpt(range, of: text.skeleton, length: range.count)
        }
        return nil
    }
}
