/// Queries of an engine's full-text indexes, for ids and ranks only. Filters and visibility are for portable statements
/// and the visibility rule.
///
/// Letter case and diacritics make no difference.
package protocol TextSearch {
    /// Up to `limit` ids of documents that match `query`, strictly below `bound`, the highest first.
    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64]

    /// Ranks of those `ids` that match `query` (BM25, with the weights of the index): larger is better.
    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double]

    /// The `words`, folded, that occur in one of `vocabularies` in a column that counts, in the order of their bytes.
    /// The vocabularies are entered at most `limit` times, and only where one of `words` may stand.
    func known(among words: [String], in vocabularies: [TextVocabulary], limit: Int) throws -> KnownWords
}

/// Words that an index has.
package struct KnownWords: Sendable, Equatable {
    package let words: [String]
    /// Number of look-ups in the index of words.
    package let lookUps: Int

    package init(words: [String], lookUps: Int) {
        self.words = words
        self.lookUps = lookUps
    }
}
