import Database
import TestSupport
import Testing

@testable import Discovery
@testable import Privacy
@testable import Push
@testable import SocialGraph

/// Query plans on SQLite. Every statement that the graph sends is recorded and explained, so that none is forgotten.
@Suite(.timeLimit(.unit))
struct QueryPlanTests {
    @Test
    func `no statement scans or sorts a table`() async throws {
        try await withGraph(on: .sqlite) { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for statement in statements.subtracting(Self.allowed) {
                let faults = try await fixture.planFaults(statement)
                #expect(faults.isEmpty, "\(faults): \(statement)")
            }
        }
    }

    /// Statements that may scan or sort. They read one row, or the first or last of an ordering; read the whole outbox
    /// (which is short) for a gauge, or all hubs or suspended users (of whom there are few); sort a few rows; read
    /// groups of the log from the oldest on, which the same transaction deletes; or serve the verifier.
    static let allowed: Set<String> = [
        "SELECT seq FROM change ORDER BY seq DESC LIMIT 1",
        "SELECT (SELECT seq FROM change ORDER BY seq DESC LIMIT 1), (SELECT value FROM setting WHERE name = ?1)",
        "SELECT created_at FROM outbox ORDER BY id LIMIT 1",
        "SELECT COUNT(*) FROM outbox",
        ChangeStore.cutQuery,
        OutboxStore.listedWorkQuery,
        "SELECT user_id, phase FROM hub",
        BlockAndMuteStore.anyBlockProbe,
        FeedStore.pulledHubsQuery,
        ErasureStore.erasuresQuery, FollowRequestStore.openedAccountsQuery,
        AccountStore.Reader.suspendedQuery,
        NotificationStore.Reader.hiddenActorsQuery,
        OutboxStore.followersWorkProbe,
        HubStore.hubCandidatesQuery,
        AudienceStore.Reader.audienceAuthorsQuery,
        AudienceStore.Reader.audienceActorsQuery,
        FeedStore.homeDefinition,
        FeedStore.windowDefinition,
        FeedStore.reasonsDefinition,
    ]

    @Test
    func `the statements of every hot path are among those explained`() async throws {
        try await withGraph(on: .sqlite) { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for kind in TasteAct.Kind.allCases {
                #expect(statements.contains(kind.ofUserQuery) && statements.contains(kind.walkQuery), "\(kind)")
            }
            for query in Self.hot { #expect(statements.contains(query), "\(query)") }
            for query in Self.allowed { #expect(statements.contains(query), "\(query)") }
            let parts = [
                "username_key = ?1", "email_key = ?1", "ORDER BY followers_count DESC", "FROM outbox WHERE id > ?1",
                "WHERE user_id = ?1 AND kind = 'refresh'", "DELETE FROM topic_reshare", "FROM community_pin",
            ]
            for part in parts {
                #expect(statements.contains { $0.contains(part) }, "\(part)")
            }
        }
    }

    @Test(arguments: hotIndexes)
    func `a hot query uses the index that was made for it`(query: String, step: String) async throws {
        try await withGraph(on: .sqlite) { fixture in
            let plan = try await fixture.plan(query)
            #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.hasSuffix(step) }, "\(plan)")
        }
    }

    @Test(arguments: faulty)
    func `a statement that scans or sorts is noticed`(statement: String) async throws {
        try await withGraph(on: .sqlite) { fixture in
            let faults = try await fixture.planFaults(statement)
            #expect(!faults.isEmpty)
        }
    }

    /// Statements that scan or sort.
    static let faulty = [
        "SELECT id FROM post WHERE caption = ?1",
        "SELECT follower_id FROM follow WHERE position > ?1",
        "SELECT id FROM account WHERE id > ?1 ORDER BY created_at",
        "SELECT DISTINCT author_id FROM post WHERE id < ?1",
        "DELETE FROM outbox WHERE kind = ?1",
    ]

    /// The statements of a graph when every operation runs once.
    static func allStatements(of fixture: some GraphScene) async throws -> Set<String> {
        let recorder = RecordingDatabase(fixture.graph.database)
        try await EveryOperation.run(on: GraphStore(database: recorder))
        return recorder.statements
    }
}

extension GraphFixture {
    fileprivate func plan(_ sql: String) async throws -> [String] {
        try await database.read { try $0.rows("EXPLAIN QUERY PLAN " + sql, []) { $0.text(3) } }
    }

    /// The steps that sort, or that scan without an ordered walk over an index that ends early.
    fileprivate func planFaults(_ sql: String) async throws -> [String] {
        try await plan(sql).filter { step in
            // The rows of an INSERT, and the head of the ordering by followers.
            var isHarmless = step.contains("CONSTANT ROW") || step == "SCAN account USING INDEX account_by_followers"
            // SQLite plans a look at the posts of each of several new accounts, which it skips (`OP_FkIfZero`) because
            // no row that refers to a missing account is counted.
            isHarmless = isHarmless || (step == "SCAN post" && sql.hasPrefix("INSERT INTO account (id, username,"))
            // At most one row more than an app webhook keeps.
            isHarmless = isHarmless || (step == "SCAN newest" && sql.hasPrefix("DELETE FROM app_webhook_letter"))
            return step.hasPrefix("SCAN") && !isHarmless || step.contains("TEMP B-TREE")
        }
    }
}
