/// Full-text search by FTS5. Words are passed as strings of its query language, in which nothing is an operator.
struct SQLiteTextSearch: TextSearch {
    let reader: SQLiteReader

    func matches(_ query: TextQuery, below bound: Int64, limit: Int) throws -> [Int64] {
        let table = query.scope.index.table
        return try reader.rows(
            "SELECT rowid FROM \(table) WHERE \(table) MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC LIMIT ?3",
            [.text(Self.expression(query)), .integer(bound), .integer(Int64(limit))]
        ) { $0.integer(0) }
    }

    func ranks(of ids: [Int64], for query: TextQuery) throws -> [Int64: Double] {
        guard let lowest = ids.min(), let highest = ids.max() else { return [:] }
        let index = query.scope.index
        // The plus keeps the engine from restarting the search for each id: each start counts all matches, for the
        // rarity of the words.
        let sql = """
            SELECT rowid, bm25(\(index.table), \(index.weights)) FROM \(index.table)
            WHERE \(index.table) MATCH ?1 AND rowid BETWEEN ?2 AND ?3 AND +rowid IN (SELECT value FROM json_each(?4))
            """
        let wanted = "[" + ids.map(String.init).joined(separator: ",") + "]"
        var ranks: [Int64: Double] = [:]
        ranks.reserveCapacity(ids.count)
        try reader.forEach(
            sql, [.text(Self.expression(query)), .integer(lowest), .integer(highest), .text(wanted)]
        ) { row in
            // The better the match, the lower FTS5's value.
            ranks[row.integer(0)] = -(row.optionalReal(1) ?? 0)
            return true
        }
        return ranks
    }

    func known(among words: [String], in vocabularies: [TextVocabulary], limit: Int) throws -> KnownWords {
        let ordered = Array(Set(words)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: Set<String> = []
        var lookUps = 0
        for vocabulary in vocabularies {
            // Leapfrog: the first term at or above a word shows how many of the words to skip.
            var index = 0
            while index < ordered.count, lookUps < limit {
                lookUps += 1
                guard let term = try reader.first(vocabulary.next, [.text(ordered[index])], { $0.text(0) }) else {
                    break
                }
                if term == ordered[index], !found.contains(term), try reader.exists(vocabulary.probe, [.text(term)]) {
                    lookUps += 1
                    found.insert(term)
                }
                index += 1
                while index < ordered.count, ordered[index].utf8.lexicographicallyPrecedes(term.utf8) { index += 1 }
            }
        }
        return KnownWords(words: ordered.filter(found.contains), lookUps: lookUps)
    }

    /// Updates documents from the tables, in ascending order of their ids: at a lower id FTS5 writes out its pending
    /// data.
    func update(_ subjects: some Sequence<TextSubject>) throws {
        for (index, subjects) in Dictionary(grouping: subjects, by: \.index) {
            let ids = subjects.map(\.id).sorted()
            for (id, texts) in zip(ids, try index.documents(ids, reader)) {
                try write(index.deletion, [.integer(id)])
                guard let texts else { continue }
                try write(index.insertion, [.integer(id)] + texts.map(SQLValue.text))
            }
        }
    }

    /// Inserts documents that are in no index yet, in the order of their ids.
    func insert(_ documents: [(subject: TextSubject, texts: [String])]) throws {
        var last: (index: TextIndex, insertion: String)?
        for (subject, texts) in documents.sorted(by: { $0.subject.id < $1.subject.id }) {
            // A group's documents mostly belong to one index.
            let statement = last.flatMap { $0.index == subject.index ? $0.insertion : nil } ?? subject.index.insertion
            last = (subject.index, statement)
            try write(statement, [.integer(subject.id)] + texts.map(SQLValue.text))
        }
    }

    private func write(_ sql: String, _ arguments: [SQLValue]) throws {
        try reader.run(sql, arguments)
    }

    // MARK: The query language

    private static func expression(_ query: TextQuery) -> String {
        query.terms.map { "(" + expression($0, query.scope) + ")" }.joined(separator: " AND ")
    }

    private static func expression(_ term: TextQuery.Term, _ scope: TextQuery.Scope) -> String {
        let said = "{\(scope.columns)} : \(quoted(term.word))" + (term.isBeginning ? " *" : "")
        guard let column = scope.standIns, !term.standIns.isEmpty else { return said }
        let standIns = term.standIns.map { "\"\($0)\"" }.joined(separator: " OR ")
        return "\(said) OR \(column) : (\(standIns))"
    }

    /// A word has no quotes, but anything passed to a parser is quoted at that point.
    private static func quoted(_ word: String) -> String {
        guard word.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(word)\"" }
        // By scalars: a mark that follows a quote makes another character of it.
        let doubled = word.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}

extension TextIndex {
    fileprivate var insertion: String { "INSERT INTO \(table) (rowid, \(columns)) VALUES (?1, \(parameters))" }

    fileprivate var deletion: String { "DELETE FROM \(table) WHERE rowid = ?1" }
}
