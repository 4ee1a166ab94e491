/// What an engine's full-text indexes answer: ids and ranks, nothing else. What is filtered, and who may see it, is for
/// portable statements and the visibility rule.
///
/// Letter case and diacritics make no difference.
package protocol TextSearch {
    /// Up to `limit` ids of documents that match `query`, strictly below `bound`, the highest first.
    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64]

    /// How well those of `ids` that match `query` do (BM25, with the weights of the index): the larger, the better.
    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double]

    /// Those of `words`, folded, that one of `vocabularies` has where they count, in the order of their bytes. The
    /// vocabularies are entered `limit` times at most, and only where one of `words` may stand.
    func known(among words: [String], in vocabularies: [TextVocabulary], limit: Int) throws -> KnownWords
}

/// Words that an index has.
package struct KnownWords: Sendable, Equatable {
    package let words: [String]
    /// Number of look-ups in the index of words.
    package let lookUps: Int
}
