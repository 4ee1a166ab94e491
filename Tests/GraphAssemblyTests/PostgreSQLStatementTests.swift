import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL
@testable import SocialGraph

/// The graph's tables and statements on PostgreSQL.
@Suite(.timeLimit(.process))
struct PostgreSQLStatementTests {
    @Test
    func `every recorded statement prepares`() async throws {
        let statements = try await withGraph { try await QueryPlanTests.allStatements(of: $0) }
        try await Self.withGraphDatabase { address, _ in
            let connection = try Self.connection(to: address)
            for statement in statements.sorted() {
                // The driver gives such a parameter a type.
                let sql = ParameterNumbering.postgreSQL(statement)
                    .replacing(#/(\$[0-9]+) IS NULL/#) { "\($0.output.1)::bigint IS NULL" }
                do {
                    _ = try connection.exchange([ServerCommand("PREPARE s AS \(sql)"), ServerCommand("DEALLOCATE s")])
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
    }

    private static func withGraphDatabase(
        _ body: (PostgreSQLAddress, PostgreSQLDatabase) async throws -> Void
    ) async throws {
        try await PostgreSQLServer.shared().withDatabase { address in
            let database = try await onThread { try PostgreSQLDatabase(graphAt: address, clock: AdjustableClock()) }
            defer { database.close() }
            try await body(address, database)
        }
    }

    private static func connection(to address: PostgreSQLAddress) throws -> PostgreSQLConnection {
        try ConnectionSource(address: address, timeouts: PostgreSQLTimeouts(), noteRoundTrip: {})
            .connection(for: .reader)
    }

    @Test
    func `every operation runs`() async throws {
        try await withGraph(on: .postgreSQL) { fixture in
            try await EveryOperation.run(on: fixture.graph)
        }
    }
}
