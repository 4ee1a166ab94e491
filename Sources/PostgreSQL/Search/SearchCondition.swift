import Database

/// The condition of a text query on a row of an index's table.
///
/// The vectors answer for single words. A searched word that is several words in the index, as in scripts whose vowel
/// signs separate words, must stand in the text as these words in a row; the row is then compared with its texts.
struct SearchCondition {
    /// The condition in SQL, with parameters from the second on. The first one is ``query``.
    let sql: String
    /// The `tsquery` of all terms.
    let query: String
    let arguments: [SQLValue]

    /// - Parameter place: number of the first free parameter; the query is ?1.
    init(_ query: TextQuery, firstParameter place: Int) {
        let columns = query.scope.columns.split(separator: " ")
        let labels = query.scope.index.labels(of: columns)
        var (parts, conditions): ([String], [String]) = ([], ["words @@ ?1::tsquery"])
        var arguments: [SQLValue] = []
        func parameter(_ text: String) -> String {
            arguments.append(.text(text))
            return "?\(place + arguments.count - 1)"
        }
        for term in query.terms {
            let words = UnicodeWords.words(of: term.word)
            let said = Self.query(words, term, labels: labels)
            let standIns = Self.standIns(of: term, query.scope)
            parts.append("(" + [said, standIns].compactMap(\.self).joined(separator: " | ") + ")")
            guard words.count > 1 else { continue }
            let phrase = parameter(" " + words.joined(separator: " ") + (term.isBeginning ? "" : " "))
            var ways = columns.map { "position(\(phrase) IN \($0)) > 0" }
            if let standIns { ways.append("words @@ \(parameter(standIns))::tsquery") }
            conditions.append("(" + ways.joined(separator: " OR ") + ")")
        }
        self.query = parts.joined(separator: " & ")
        sql = conditions.joined(separator: " AND ")
        self.arguments = arguments
    }

    /// All `words`, the last as a prefix if the term is one; nil: there are none, so nothing matches.
    private static func query(_ words: [String], _ term: TextQuery.Term, labels: String) -> String? {
        if words.isEmpty { return nil }
        let parts = words.enumerated().map { index, word in
            let isPrefix = term.isBeginning && index == words.count - 1
            return Lexemes.quoted(word) + ":" + (isPrefix ? "*" : "") + labels
        }
        return "(" + parts.joined(separator: " & ") + ")"
    }

    private static func standIns(of term: TextQuery.Term, _ scope: TextQuery.Scope) -> String? {
        guard let column = scope.standIns, !term.standIns.isEmpty else { return nil }
        let label = scope.index.labels(of: [column])
        return term.standIns.map { Lexemes.quoted($0) + ":" + label }.joined(separator: " | ")
    }
}
