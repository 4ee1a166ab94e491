import Database
import SocialGraph

/// A graph in a database of its own, with a clock that the test moves.
package struct GraphFixture: GraphScene {
    package let clock: AdjustableClock
    package let database: any TestDatabase
    package let graph: GraphStore
    private let location: GraphLocation

    /// Opens the graph. Blocks.
    package init(at location: GraphLocation, clock: AdjustableClock = AdjustableClock()) throws {
        self.location = location
        self.clock = clock
        database = try location.open(GraphClock { clock.now })
        graph = GraphStore(database: database)
    }

    /// A second opener of the same graph, like another process.
    package func another(clock: AdjustableClock? = nil) throws -> GraphFixture {
        try GraphFixture(at: location, clock: clock ?? self.clock)
    }
}

/// Runs `body` on a new, empty graph, and removes the graph afterwards.
@discardableResult
package func withGraph<T>(
    on engine: Engine = .ofTestRun, clock: AdjustableClock = AdjustableClock(),
    _ body: (GraphFixture) async throws -> T
) async throws -> T {
    try await withGraphLocation(on: engine) { try await withGraph(at: $0, clock: clock, body) }
}

/// Runs `body` on the graph at `location`.
@discardableResult
package func withGraph<T>(
    at location: GraphLocation, clock: AdjustableClock = AdjustableClock(), _ body: (GraphFixture) async throws -> T
) async throws -> T {
    let fixture = try await onThread { try GraphFixture(at: location, clock: clock) }
    return try await closing(fixture.database) { try await body(fixture) }
}

/// Runs `body` on a new, empty graph with the time of the system, and removes the graph afterwards.
@discardableResult
package func withGraphStore<T>(_ body: (GraphStore) async throws -> T) async throws -> T {
    try await withGraphLocation { location in
        let database = try await onThread { try location.open() }
        return try await closing(database) { try await body(GraphStore(database: database)) }
    }
}

/// Runs `body` and closes `database` afterwards.
package func closing<T>(_ database: any TestDatabase, after body: () async throws -> T) async throws -> T {
    let result: Result<T, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    do {
        try await onThread { try database.close() }
    } catch {
        _ = try result.get()
        throw error
    }
    return try result.get()
}
