import Database
import GraphAssembly
import PostgreSQL

/// The data of a graph on one of the engines. Each opening is like another process.
package enum GraphLocation: Sendable {
    /// The path of an SQLite database.
    case file(String)
    /// A database on a PostgreSQL server.
    case server(PostgreSQLAddress)

    /// Opens the graph, by default with the time of the system. Blocks.
    ///
    /// - Parameter observe: called once for each round trip to the server that somebody waits for.
    package func open(
        _ times: GraphClock = GraphClock(SystemClock.milliseconds),
        observingRoundTrips observe: @escaping @Sendable () -> Void = {}
    ) throws -> any TestDatabase {
        switch self {
        case .file(let path):
            try EmptyGraph.create(at: path)
            return try SQLiteDatabase(path: path, times: times)
        case .server(let address):
            return try PostgreSQLDatabase(
                graphAt: address, options: .tests, clock: times.now, times: times, observingRoundTrips: observe)
        }
    }
}

extension PostgreSQLOptions {
    /// Options for databases of which many are open at a time, on a busy machine.
    package static let tests: PostgreSQLOptions = {
        var options = PostgreSQLOptions()
        options.readers = 2
        options.timeouts = .tests
        return options
    }()
}

extension PostgreSQLTimeouts {
    /// Time-outs that a busy machine does not reach: many tests connect at a time, and hold the writer within a
    /// transaction.
    package static let tests: PostgreSQLTimeouts = {
        var timeouts = PostgreSQLTimeouts()
        timeouts.connecting = .seconds(60)
        timeouts.statement = .seconds(600)
        timeouts.answer = .seconds(660)
        timeouts.unacknowledged = .seconds(600)
        timeouts.idleWriter = .seconds(600)
        timeouts.patience = .seconds(600)
        return timeouts
    }()
}

/// Runs `body` with the location of a new, empty graph on `engine`, and removes the graph afterwards.
@discardableResult
package func withGraphLocation<T>(
    on engine: Engine = .ofTestRun, _ body: (GraphLocation) async throws -> T
) async throws -> T {
    switch engine {
    case .sqlite:
        try await withTemporaryDirectory("graph") { try await body(.file($0 + "/graph.db")) }
    case .postgreSQL:
        try await PostgreSQLServer.shared().withGraphDatabase { try await body(.server($0)) }
    }
}
