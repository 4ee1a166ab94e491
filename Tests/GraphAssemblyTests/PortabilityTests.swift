import Foundation
import TestSupport
import Testing

/// Portability of SQL: statements outside the SQLite driver must mean the same to PostgreSQL.
@Suite(.timeLimit(.unit))
struct PortabilityTests {
    @Test
    func `no statement outside the driver uses what SQLite alone understands`() throws {
        let files = try Self.sources()
        #expect(files.count > 20)
        #expect(files.contains { $0.name == "FeedStore+home.swift" })
        for file in files {
            #expect(SQLText.faults(in: file.text) == [], "\(file.name)")
        }
    }

    @Test
    func `recorded statements are portable as well`() async throws {
        try await withGraph { fixture in
            let statements = try await QueryPlanTests.allStatements(of: fixture)
            #expect(statements.count > 40)
            for statement in statements { #expect(SQLText.faults(of: statement) == [], "\(statement)") }
        }
    }

    @Test(arguments: [
        "\"PRAGMA user_version\"",
        "\"INSERT OR IGNORE INTO post (id) VALUES (?1)\"",
        "\"REPLACE INTO post (id) VALUES (?1)\"",
        "\"SELECT id FROM post WHERE caption GLOB ?1\"",
        "\"SELECT rowid FROM post\"",
        "\"SELECT datetime('now')\"",
        "\"SELECT json_extract(caption, '$') FROM post\"",
        "\"SELECT id FROM post WHERE id = ?\"",
        "\"SELECT id FROM post WHERE id = ? AND author_id = ?2\"",
        "\"SELECT id FROM post WHERE id = :id\"",
        "let q = \"\"\"\n    SELECT id FROM post -- newest\n    WHERE id = @id\n    \"\"\"",
    ])
    func `what is not portable is noticed`(source: String) {
        #expect(SQLText.faults(in: source) != [])
    }

    @Test
    func `comments and other texts are no statements`() {
        #expect(SQLText.faults(in: "/// PRAGMA synchronous?\nlet a = \"Really? Select one: rowid\"") == [])
        #expect(SQLText.faults(in: "let a = \"SELECT id FROM post WHERE id = ?1 LIMIT ?12\"") == [])
    }

    /// All sources except the drivers.
    private static func sources() throws -> [(name: String, text: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources").resolvingSymlinksInPath()
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .filter { !$0.path.contains("/Database/SQLite/") && !$0.path.contains("/Sources/PostgreSQL/") }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }
}
