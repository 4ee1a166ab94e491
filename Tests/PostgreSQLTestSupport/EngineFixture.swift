import Database
import GraphAssembly
import PostgreSQL
import SocialGraph
import TestSupport

/// The engines, for tests of the seam: each runs on both with one body.
package enum Engine: Sendable, CaseIterable {
    case sqlite, postgreSQL
}

/// A graph in a database of its own on one of the engines, with a clock that the test moves.
package struct EngineFixture: GraphScene {
    package let database: any GroupCommitDatabase
    package let graph: GraphStore
    package let clock: AdjustableClock
    private let open: @Sendable (AdjustableClock) throws -> any GroupCommitDatabase

    fileprivate init(
        clock: AdjustableClock, open: @escaping @Sendable (AdjustableClock) throws -> any GroupCommitDatabase
    ) throws {
        self.clock = clock
        self.open = open
        database = try open(clock)
        graph = GraphStore(database: database)
    }

    /// A second opener of the same database, like another process.
    package func another(clock: AdjustableClock? = nil) throws -> EngineFixture {
        try EngineFixture(clock: clock ?? self.clock, open: open)
    }

    package func close() throws {
        try (database as? SQLiteDatabase)?.close()
        (database as? PostgreSQLDatabase)?.close()
    }
}

extension PostgreSQLDatabase {
    /// Opens a graph, with the hooks of all modules.
    package convenience init(graphAt address: PostgreSQLAddress, clock: AdjustableClock) throws {
        var options = PostgreSQLOptions()
        // Tests hold the writer within a transaction.
        options.timeouts.idleWriter = .seconds(600)
        try self.init(graphAt: address, options: options, clock: { clock.now })
    }
}

/// Runs `body` on a new, empty graph on `engine`.
package func withGraph(
    on engine: Engine, clock: AdjustableClock = AdjustableClock(), _ body: (EngineFixture) async throws -> Void
) async throws {
    switch engine {
    case .sqlite:
        try await withTemporaryDirectory("graph") { directory in
            try await run(body, clock: clock) { clock in
                try SQLiteDatabase(path: directory + "/graph.db") { clock.now }
            }
        }
    case .postgreSQL:
        try await PostgreSQLServer.shared().withDatabase { address in
            try await run(body, clock: clock) { try PostgreSQLDatabase(graphAt: address, clock: $0) }
        }
    }
}

private func run(
    _ body: (EngineFixture) async throws -> Void, clock: AdjustableClock,
    open: @escaping @Sendable (AdjustableClock) throws -> any GroupCommitDatabase
) async throws {
    let fixture = try await onThread { try EngineFixture(clock: clock, open: open) }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    try await onThread { try fixture.close() }
    try result.get()
}
