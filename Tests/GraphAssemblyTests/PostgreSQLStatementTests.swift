import Database
import TestSupport
import Testing

@testable import PostgreSQL
@testable import SocialGraph

/// The graph's tables and statements on PostgreSQL.
@Suite(.timeLimit(.process))
struct PostgreSQLStatementTests {
    @Test
    func `every recorded statement prepares`() async throws {
        let statements = try await withGraph(on: .sqlite) { try await QueryPlanTests.allStatements(of: $0) }
        try await PostgreSQLServer.shared().withGraphDatabase { address in
            let connection = try Self.connection(to: address)
            for statement in statements.sorted() {
                let sql = Self.typed(statement)
                do {
                    _ = try connection.exchange([ServerCommand("PREPARE s AS \(sql)"), ServerCommand("DEALLOCATE s")])
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
    }

    /// A statement as the server reads it, with the type that the driver gives to a parameter compared with NULL.
    private static func typed(_ statement: String) -> String {
        ParameterNumbering.postgreSQL(statement)
            .replacing(#/(\$[0-9]+) IS NULL/#) { "\($0.output.1)::bigint IS NULL" }
    }

    private static func connection(to address: PostgreSQLAddress) throws -> PostgreSQLConnection {
        try ConnectionSource(address: address, timeouts: .tests, noteRoundTrip: {})
            .connection(for: .reader)
    }

    @Test
    func `every operation runs`() async throws {
        try await withGraph(on: .postgreSQL) { fixture in
            try await EveryOperation.run(on: fixture.graph)
        }
    }
}
