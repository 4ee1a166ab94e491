import Database
import GraphAssembly
import PostgreSQL
import SocialGraph

extension GraphScene {
    /// The engine of the graph.
    package var engine: Engine { graph.database is PostgreSQLDatabase ? .postgreSQL : .sqlite }

    /// The ids of the documents of a full-text index, ascending.
    package func documents(in index: String) async throws -> [Int64] {
        let id = engine == .sqlite ? "rowid" : "id"
        return try await integers("SELECT \(id) FROM \(index) ORDER BY \(id)")
    }

    /// Fails if an index of SQLite's disagrees with its documents. PostgreSQL's are ordinary tables.
    package func checkTextIndex(_ index: String) async throws {
        guard engine == .sqlite else { return }
        try await graph.database.write { transaction in
            try transaction.execute("INSERT INTO \(index) (\(index)) VALUES ('integrity-check')", [])
        }
    }
}

extension StoredTable {
    /// The tables of a graph, except full-text indexes, on either engine.
    package static let ofGraph: [StoredTable] = {
        do { return try DatabaseSchema.graph.storedTables() } catch { fatalError("\(error)") }
    }()
}
