import Database

/// Full-text search with `tsvector` and GIN, over words that were found and folded by ``UnicodeWords``.
struct ServerTextSearch: TextSearch {
    let reader: any SQLReader

    /// The matches are found first, all of them, and then ordered: a GIN index has no order. `id + 0` keeps the planner
    /// from walking the table in the order of ids instead, which looks cheap to it while bitmaps are off.
    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64] {
        guard let condition = SearchCondition(answerable: query, firstParameter: 4) else { return [] }
        return try reader.rows(
            """
            WITH found AS MATERIALIZED (
                SELECT id FROM \(query.scope.index.table) WHERE \(condition.sql) AND id + 0 < ?2
            ) SELECT id FROM found ORDER BY id DESC LIMIT ?3
            """, [.text(condition.query), .integer(bound), .integer(Int64(limit))] + condition.arguments
        ) { $0.integer(0) }
    }

    /// Ranks by the weights of the columns that have the words. Unlike BM25 it does not know how rare a word is.
    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double] {
        guard !ids.isEmpty, let condition = SearchCondition(answerable: query, firstParameter: 3) else { return [:] }
        let weights = query.scope.index.labelWeights.map { "\($0)" }.joined(separator: ", ")
        let wanted = ids.map(String.init).joined(separator: ",")
        var ranks: [Int64: Double] = [:]
        try reader.forEach(
            """
            SELECT id, ts_rank(ARRAY[\(weights)]::real[], words, ?1::tsquery) FROM \(query.scope.index.table)
            WHERE id = ANY (string_to_array(?2, ',')::bigint[]) AND \(condition.sql)
            """, [.text(condition.query), .text(wanted)] + condition.arguments
        ) { row in
            ranks[row.integer(0)] = row.optionalReal(1) ?? 0
            return true
        }
        return ranks
    }

    /// Looks up each word by itself, all in one statement for each vocabulary.
    func known(among words: [String], in vocabularies: [TextVocabulary], limit: Int) throws -> KnownWords {
        let ordered = Set(words).filter { UnicodeWords.words(of: $0) == [$0] }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: Set<String> = []
        var lookUps = 0
        for vocabulary in vocabularies {
            let wanted = ordered.prefix(limit - lookUps)
            lookUps += wanted.count
            if wanted.isEmpty { break }
            found.formUnion(
                try reader.rows(vocabulary.statement, [.text(wanted.joined(separator: "\n"))]) { $0.text(0) })
        }
        return KnownWords(words: ordered.filter(found.contains), lookUps: lookUps)
    }
}

extension SearchCondition {
    /// Nil: a term has no words, so nothing matches.
    init?(answerable query: TextQuery, firstParameter: Int) {
        let isAnswerable = query.terms.allSatisfy { term in
            let hasStandIns = query.scope.standIns != nil && !term.standIns.isEmpty
            return hasStandIns || !UnicodeWords.words(of: term.word).isEmpty
        }
        guard isAnswerable else { return nil }
        self.init(query, firstParameter: firstParameter)
    }
}

extension TextVocabulary {
    /// Words have no character that a `tsquery` would have to quote.
    fileprivate var statement: String {
        let labels = index.labels(of: index.weighedColumns.map(\.key).filter { $0 != ignoredColumn })
        return """
            SELECT word FROM unnest(string_to_array(?1, chr(10))) AS word WHERE EXISTS (
                SELECT 1 FROM \(index.table) WHERE words @@ ('''' || word || ''':\(labels)')::tsquery)
            """
    }
}
