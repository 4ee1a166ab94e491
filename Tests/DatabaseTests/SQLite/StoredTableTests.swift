import Database
import GraphAssembly
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct StoredTableTests {
    @Test func `every table of a database is stored except those of the engine`() async throws {
        try await withGraph { scene in
            let names = try await scene.database.read { reader in
                try reader.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'", []) {
                    $0.text(0)
                }
            }
            let stored = Set(try DatabaseSchema.graph.storedTables().map(\.name))
            let engine = names.filter { !stored.contains($0) }
            #expect(stored.isSubset(of: names))
            #expect(
                engine.allSatisfy { name in
                    name == "grdb_migrations" || name.hasSuffix("_word")
                        || ["account_text", "community_text", "post_text"].contains { name.hasPrefix($0) }
                }, "\(engine)")
        }
    }

    @Test func `each table follows those that its rows must refer to`() throws {
        var seen: Set<String> = []
        for table in try DatabaseSchema.graph.storedTables() {
            for column in table.columns where !column.isOptional {
                if let target = column.target { #expect(target == table.name || seen.contains(target)) }
            }
            #expect(!table.key.isEmpty, "\(table.name) has no order")
            seen.insert(table.name)
        }
    }

    @Test func `a circle is entered where a column may be empty`() {
        let account = StoredTable(
            name: "account",
            columns: [
                .init(name: "id", type: .integer),
                .init(name: "picture", type: .integer, isOptional: true, target: "media"),
            ], key: [0])
        let media = StoredTable(
            name: "media",
            columns: [.init(name: "id", type: .integer), .init(name: "owner", type: .integer, target: "account")],
            key: [0])
        #expect(StoredTable.referencedFirst([media, account]).map(\.name) == ["account", "media"])
    }
}
