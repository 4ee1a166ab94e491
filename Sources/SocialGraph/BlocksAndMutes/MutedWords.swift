import Database
import Text

/// The muted words of a reader, compiled for searches in one pass over a text.
package struct MutedWords: Sendable {
    private let matchers: [KeywordMatcher]
    /// An approximate size, in units of one followee.
    let weight: Int

    /// Nil: there are none.
    package init?(_ words: [(word: String, isWhole: Bool)]) {
        guard !words.isEmpty else { return nil }
        matchers = [true, false].compactMap { isWhole in
            let alike = words.filter { $0.isWhole == isWhole }.map(\.word)
            return alike.isEmpty ? nil : KeywordMatcher(alike, wholeWords: isWhole)
        }
        weight = words.reduce(0) { $0 + 8 * $1.word.utf8.count }
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

extension SchemaChange {
    /// Words and phrases that users have muted. `word_key` is the spelling in which they are searched for.
    package static let mutedWords = SchemaChange(
        name: "0.2.0-muted-words",
        statements: """
            CREATE TABLE muted_word (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES account (id),
                word TEXT NOT NULL,
                word_key TEXT NOT NULL,
                is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
                expires_at INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX muted_word_by_key ON muted_word (user_id, word_key);
            CREATE INDEX muted_word_by_expiry ON muted_word (expires_at) WHERE expires_at IS NOT NULL;
            """)
}
