import Database
import GraphAssembly
import SocialGraph

/// A graph in a file, for tests of the SQLite driver and of files. It is on SQLite in every test run.
package struct SQLiteFixture: GraphScene {
    package let path: String
    package let clock: AdjustableClock
    package let database: SQLiteDatabase
    package let graph: GraphStore

    package init(path: String, clock: AdjustableClock = AdjustableClock()) throws {
        self.path = path
        self.clock = clock
        try EmptyGraph.create(at: path)
        database = try SQLiteDatabase(path: path) { clock.now }
        graph = GraphStore(database: database)
    }

    /// A second opener of the same file, like another process.
    package func another(clock: AdjustableClock? = nil) throws -> SQLiteFixture {
        try SQLiteFixture(path: path, clock: clock ?? self.clock)
    }

    /// Limits the growth of the file to `extra` pages.
    package func limitPages(extra: Int64) async throws {
        try await database.write { transaction in
            let pages = try transaction.first("PRAGMA page_count", []) { $0.integer(0) } ?? 0
            _ = try transaction.first("PRAGMA max_page_count = \(pages + extra)", []) { _ in }
        }
    }
}

/// Runs `body` on a new, empty graph in a file, and removes its directory afterwards.
@discardableResult
package func withSQLiteGraph<T>(
    clock: AdjustableClock = AdjustableClock(), _ body: (SQLiteFixture) async throws -> T
) async throws -> T {
    try await withTemporaryDirectory("graph") { directory in
        let fixture = try SQLiteFixture(path: directory + "/graph.db", clock: clock)
        let result: T
        do {
            result = try await body(fixture)
        } catch {
            try? fixture.database.close()
            throw error
        }
        try fixture.database.close()
        return result
    }
}
