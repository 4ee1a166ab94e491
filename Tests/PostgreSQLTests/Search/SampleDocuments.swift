import Database
import PostgreSQL
import PostgreSQLTestSupport
import TestSupport

/// Documents with as many columns as those of posts, in a table and a full-text index, for both engines.
enum SampleDocuments {
    static let columns = ["title", "caption", "tags", "category", "attributes", "authors"]

    static let index = TextIndex(
        table: "doc_text",
        columns: ["title": 8, "caption": 1, "tags": 4, "category": 3, "attributes": 2, "authors": 0.5]
    ) { ids, reader in
        try reader.first(
            of: ids.map { SQLQuery("SELECT \(columns.joined(separator: ", ")) FROM doc WHERE id = ?1", [.integer($0)]) }
        ) { row in (0..<6).map(row.text) }
    }

    static let scope = TextQuery.Scope(
        index, columns: "title caption tags category attributes", standIns: "authors")
    static let words = TextVocabulary(index, table: "doc_word", ignoring: "authors")

    static let schema = DatabaseSchema(
        tables: Tables.engine + """
            CREATE TABLE doc (
                id INTEGER PRIMARY KEY,
                \(columns.map { "\($0) TEXT NOT NULL" }.joined(separator: ",\n"))
            ) STRICT;
            CREATE VIRTUAL TABLE doc_text USING fts5 (
                \(columns.joined(separator: ", ")), tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
            INSERT INTO doc_text (doc_text, rank) VALUES ('automerge', 0);
            CREATE VIRTUAL TABLE doc_word USING fts5vocab (doc_text, instance);

            """,
        changes: [], mergedIndex: nil)

    /// Runs `body` with a database of each engine.
    static func withBothEngines(
        _ body: (_ sqlite: any GraphDatabase, _ postgreSQL: any GraphDatabase) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory("doc") { directory in
            let sqlite = try SQLiteDatabase(path: directory + "/doc.db", schema: schema)
            try await withPostgreSQL(schema: schema) { try await body(sqlite, $0.database) }
            try sqlite.close()
        }
    }
}

extension GraphTransaction {
    /// Stores a document.
    ///
    /// - Parameter isNew: true: as a document that was created by this transaction.
    func store(_ id: Int64, _ texts: [String], isNew: Bool) throws {
        let columns = SampleDocuments.columns.joined(separator: ", ")
        try execute("DELETE FROM doc WHERE id = ?1", [.integer(id)])
        try execute(
            "INSERT INTO doc (id, \(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            [.integer(id)] + texts.map(SQLValue.text))
        let subject = TextSubject(SampleDocuments.index, id)
        if isNew { index(new: subject, texts: texts) } else { index(subject) }
    }

    func remove(_ id: Int64) throws {
        try execute("DELETE FROM doc WHERE id = ?1", [.integer(id)])
        index(TextSubject(SampleDocuments.index, id))
    }
}
