import Database
import SocialGraph
import TestSupport
import Testing

@testable import PostgreSQL

/// Query plans on PostgreSQL, with the settings of the driver's connections (`SessionSettings`), in a database whose
/// statistics are those of a network of 5,000 people.
@Suite(.timeLimit(.process))
struct ServerPlanTests {
    @Test
    func `no statement reads a whole table or sorts one`() async throws {
        try await Self.withNetwork { connection, statements in
            let leading = try SampleNetwork.leadingColumns(connection)
            #expect(leading.count > 100)
            for statement in statements.subtracting(QueryPlanTests.allowed).subtracting(Self.allowed).sorted() {
                let faults = try ServerPlan(of: statement, on: connection).faults(leading).filter { node in
                    ServerPlan.index(of: node).map { !Self.fewRows.contains($0) } ?? true
                }
                #expect(faults.isEmpty, "\(faults): \(statement)")
            }
        }
    }

    @Test
    func `a hot query uses the index that was made for it`() async throws {
        try await Self.withNetwork { connection, _ in
            for (query, step) in QueryPlanTests.hotIndexes {
                let plan = try ServerPlan(of: query, on: connection)
                let index = Self.index(of: step)
                let indexes = [index] + Self.alternatives[index, default: []]
                #expect(indexes.contains { plan.searches($0) }, "\(index): \(plan.nodes)")
            }
        }
    }

    @Test
    func `a statement that scans or sorts is noticed`() async throws {
        try await Self.withNetwork { connection, _ in
            let leading = try SampleNetwork.leadingColumns(connection)
            for statement in QueryPlanTests.faulty {
                let plan = try ServerPlan(of: statement, on: connection)
                #expect(!plan.faults(leading).isEmpty, "\(statement): \(plan.nodes)")
            }
        }
    }

    /// Without arguments, the planner takes a third of all sessions for ended. Few are.
    private static let allowed: Set<String> = [
        "DELETE FROM spent_refresh WHERE session_id IN (SELECT id FROM session WHERE expires_at < ?1)"
    ]

    /// Indexes that may be read as a whole: those of few rows, and the ordering by followers, of which a query reads
    /// the head. The open questions to classifiers are so few that autovacuum, if it has come, leaves the choice open.
    private static let fewRows: Set<String> = [
        "account_suspended", "account_silenced", "mail_sending", "report_open", "account_by_followers", "comment_held",
        "held_comment_pkey", "classification_by_scope",
    ]

    /// Indexes of the server's choice, by those of SQLite's. They begin with columns that the query gives as well.
    private static let alternatives: [String: [String]] = [
        "mute_pkey": ["mute_of_reshares"], "reshare_by_pair": ["reshare_by_post"], "watch_by_pair": ["watch_by_post"],
        "_pkey": ["community_member_by_user"],
    ]

    /// The index of a step of SQLite's plan, by its name on the server.
    private static func index(of step: String) -> String {
        if let name = step.firstMatch(of: #/INDEX (\w+)/#)?.output.1 { return String(name) }
        let table = step.firstMatch(of: #/SEARCH (\w+) USING/#)?.output.1 ?? ""
        return table.count > 2 ? "\(table)_pkey" : "_pkey"
    }

    /// Runs `body` with a connection of the driver to a database of a network, and all statements of a graph.
    private static func withNetwork(_ body: (PostgreSQLConnection, Set<String>) throws -> Void) async throws {
        let network = try await SampleNetwork.shared()
        try body(try network.connection(), network.statements)
    }
}
