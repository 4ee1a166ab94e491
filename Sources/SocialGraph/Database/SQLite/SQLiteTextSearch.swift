import GRDB

/// Full-text search by FTS5. Words are handed over as strings of its query language, in which nothing is an operator.
struct SQLiteTextSearch: TextSearch {
    let reader: SQLiteReader

    init(database: Database) { reader = SQLiteReader(database: database) }

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
        // The plus keeps the engine from starting the search anew for each id: each start counts all matches, for the
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

    func known(among words: [String], limit: Int) throws -> KnownWords {
        let ordered = Array(Set(words)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: Set<String> = []
        var lookUps = 0
        for (next, probe) in Self.vocabularies {
            // Leapfrog: the first term at or above a word tells how many of the words to pass over.
            var index = 0
            while index < ordered.count, lookUps < limit {
                lookUps += 1
                guard let term = try reader.first(next, [.text(ordered[index])], { $0.text(0) }) else { break }
                if term == ordered[index], !found.contains(term), try reader.exists(probe, [.text(term)]) {
                    lookUps += 1
                    found.insert(term)
                }
                index += 1
                while index < ordered.count, ordered[index].utf8.lexicographicallyPrecedes(term.utf8) { index += 1 }
            }
        }
        return KnownWords(words: ordered.filter(found.contains), lookUps: lookUps)
    }

    /// The first term at or above a word, and whether it stands where it counts.
    private static let vocabularies = [
        (
            "SELECT term FROM post_word WHERE term >= ?1 LIMIT 1",
            "SELECT 1 FROM post_word WHERE term = ?1 AND col <> 'authors' LIMIT 1"
        ),
        (
            "SELECT term FROM account_word WHERE term >= ?1 LIMIT 1",
            "SELECT 1 FROM account_word WHERE term = ?1 AND col <> 'bio' LIMIT 1"
        ),
    ]

    /// Brings documents up to what the tables say. In ascending order: at a lower id FTS5 writes out what it has
    /// gathered.
    func update(_ subjects: some Sequence<TextSubject>) throws {
        for subject in subjects.sorted(by: { $0.id < $1.id }) { try update(subject) }
    }

    private func update(_ subject: TextSubject) throws {
        let (index, id) = (subject.index, subject.id)
        try write("DELETE FROM \(index.table) WHERE rowid = ?1", [.integer(id)])
        guard let texts = try TextDocument.texts(of: subject, reader) else { return }
        try write(index.insertion, [.integer(id)] + texts.map(SQLValue.text))
    }

    /// Puts documents in that are in no index yet, in the order of their ids.
    func insert(_ documents: [(subject: TextSubject, texts: [String])]) throws {
        for document in documents.sorted(by: { $0.subject.id < $1.subject.id }) {
            try write(
                document.subject.index.insertion, [.integer(document.subject.id)] + document.texts.map(SQLValue.text))
        }
    }

    private func write(_ sql: String, _ arguments: [SQLValue]) throws {
        try reader.database.run(sql, arguments)
    }

    // MARK: The query language

    private static func expression(_ query: TextQuery) -> String {
        query.terms.map { "(" + expression($0, query.scope) + ")" }.joined(separator: " AND ")
    }

    private static func expression(_ term: TextQuery.Term, _ scope: TextQuery.Scope) -> String {
        // A word has no quotes, but what is handed to a parser is quoted where it is handed over.
        let word = "\"" + term.word.split(separator: "\"").joined(separator: "\"\"") + "\""
        let said = "{\(scope.columns)} : \(word)" + (term.isBeginning ? " *" : "")
        if term.authors.isEmpty { return said }
        let authors = term.authors.map { "\"\(TextDocument.word(for: $0))\"" }.joined(separator: " OR ")
        return "\(said) OR authors : (\(authors))"
    }
}

extension TextIndex {
    fileprivate var table: String {
        switch self {
        case .posts: "post_text"
        case .accounts: "account_text"
        case .communities: "community_text"
        }
    }

    fileprivate var insertion: String {
        "INSERT INTO \(table) (rowid, \(columns)) VALUES (?1, \(parameters))"
    }

    fileprivate var columns: String {
        switch self {
        case .posts: "title, caption, tags, category, authors"
        case .accounts: "username, display_name, bio"
        case .communities: "name"
        }
    }

    fileprivate var parameters: String {
        switch self {
        case .posts: "?2, ?3, ?4, ?5, ?6"
        case .accounts: "?2, ?3, ?4"
        case .communities: "?2"
        }
    }

    /// What a word in each of the columns is worth. An author is a word of few documents, which makes it dear by
    /// itself.
    fileprivate var weights: String {
        switch self {
        case .posts: "8, 1, 4, 3, 0.5"
        case .accounts: "8, 4, 1"
        case .communities: "1"
        }
    }
}

extension TextQuery.Scope {
    fileprivate var columns: String {
        switch self {
        case .posts: "title caption tags category"
        case .names: "username display_name"
        case .profiles: "username display_name bio"
        case .communities: "name"
        }
    }
}

extension TextSubject {
    fileprivate var index: TextIndex {
        switch self {
        case .post: .posts
        case .account: .accounts
        case .community: .communities
        }
    }

    fileprivate var id: Int64 {
        switch self {
        case .post(let id): id.rawValue
        case .account(let id): id.rawValue
        case .community(let id): id.rawValue
        }
    }
}
