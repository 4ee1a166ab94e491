import Database
import TestSupport
import Testing

@testable import PostgreSQL

@Suite(.timeLimit(.process))
struct UnicodeWordsTests {
    /// Scalars of one document.
    private static let block: UInt32 = 512

    @Test
    func `every scalar is treated as FTS5 treats it, within a word and at its start`() async throws {
        let schema = DatabaseSchema(
            tables: Tables.engine + """
                CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61 remove_diacritics 2');
                CREATE VIRTUAL TABLE v USING fts5vocab (t, instance);
                """,
            changes: [], mergedIndex: nil)
        try await withTemporaryDirectory("words") { directory in
            let database = try SQLiteDatabase(path: directory + "/words.db", schema: schema)
            let blocks = stride(from: 0, to: UInt32(0x11_0000), by: Int(Self.block)).map { $0 }
            for group in stride(from: 0, to: blocks.count, by: 200).map({ blocks[$0..<min($0 + 200, blocks.count)] }) {
                let documents = group.map { ($0, Self.text(from: $0)) }
                let found = try await Self.words(of: documents, in: database)
                for (start, text) in documents {
                    let expected = UnicodeWords.words(of: text).joined(separator: " ")
                    #expect(found[start] ?? "" == expected, "U+\(String(start, radix: 16))")
                }
            }
            try database.close()
        }
    }

    /// Each scalar within a word, at the start of one, and alone. Where none is assigned, within a word is enough: it
    /// ends there.
    private static func text(from start: UInt32) -> String {
        let isUnassigned = (0x4_0000..<0xE_0000).contains(start)
        var text = ""
        for value in max(start, 1)..<start + block {
            guard let scalar = Unicode.Scalar(value).map({ String($0) }) else { continue }
            text.append("a x")
            text.append(scalar)
            if isUnassigned { continue }
            text.append("y ")
            text.append(scalar)
            text.append("z ")
            text.append(scalar)
            text.append(" ")
        }
        return text
    }

    /// The words that FTS5 finds in each document, in their order, with a blank between them.
    private static func words(
        of documents: [(id: UInt32, text: String)], in database: SQLiteDatabase
    ) async throws -> [UInt32: String] {
        try await database.write { transaction in
            try transaction.execute("DELETE FROM t", [])
            for document in documents {
                try transaction.execute(
                    "INSERT INTO t (rowid, x) VALUES (?1, ?2)", [.integer(Int64(document.id)), .text(document.text)])
            }
        }
        return try await database.read { reader in
            var words: [UInt32: String] = [:]
            let inOrder = "SELECT doc, term FROM v ORDER BY doc, \"offset\""
            try reader.forEach("SELECT doc, group_concat(term, ' ') FROM (\(inOrder)) GROUP BY doc", []) { row in
                words[UInt32(row.integer(0))] = row.text(1)
                return true
            }
            return words
        }
    }

    @Test(arguments: [
        ("Crème BRÛLÉE, 2 Stück!", ["creme", "brulee", "2", "stuck"]),
        ("हिन्दी", ["ह", "न", "द"]),
        ("e\u{301}te\u{301}", ["ete"]),
        ("\u{301}a \u{301}", ["a"]),
        ("o'neil's", ["o", "neil", "s"]),
        ("", []),
    ])
    func `words are folded and separated`(text: String, words: [String]) {
        #expect(UnicodeWords.words(of: text) == words)
    }

    @Test
    func `a word that the server would refuse keeps its beginning and differs from others`() {
        let long = String(repeating: "a", count: 3_000)
        let lexeme = Lexemes.lexeme(long + "b")
        #expect(lexeme.utf8.count <= 2_046)
        #expect(lexeme.hasPrefix(long.prefix(2_000)))
        #expect(lexeme != Lexemes.lexeme(long + "c"))
    }
}
