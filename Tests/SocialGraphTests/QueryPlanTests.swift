import Testing

@testable import SocialGraph

/// Every statement that the graph sends is recorded and explained, so that none can be forgotten.
@Suite(.timeLimit(.minutes(1)))
struct QueryPlanTests {
    @Test
    func `no statement scans or sorts a table`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for statement in statements.subtracting(Self.allowed) {
                #expect(try await fixture.planFaults(statement) == [], "\(statement)")
            }
        }
    }

    /// They read the first or last row of an ordering, go through the outbox (which is short) for the verifier or a
    /// gauge, or may sort, being of few rows or for the verifier.
    private static let allowed: Set<String> = [
        "SELECT seq FROM change ORDER BY seq DESC LIMIT 1",
        "SELECT created_at FROM outbox ORDER BY id LIMIT 1",
        "SELECT COUNT(*) FROM outbox",
        "SELECT 1 FROM outbox WHERE kind = 'edge' AND user_id = ?1",
        "SELECT viewers FROM outbox WHERE kind IN ('drop', 'build')",
        GraphStore.audienceAuthorsQuery,
        GraphStore.definitionQuery,
    ]

    @Test
    func `the statements of every hot path are among those explained`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            let hot = [
                GraphStore.followProbe, GraphStore.followersQuery, GraphStore.followingQuery, GraphStore.mutualsQuery,
                GraphStore.followeesQuery, GraphStore.audienceQuery, GraphStore.authorFeedQuery, GraphStore.walkQuery,
                GraphStore.reachQuery, GraphStore.postQuery, GraphStore.tagsQuery, GraphStore.collaboratorsQuery,
            ]
            #expect(statements.isSuperset(of: hot))
            #expect(statements.isSuperset(of: Self.allowed))
            let parts = [
                "username_key = ?1", "email_key = ?1", "ORDER BY followers_count DESC", "FROM outbox WHERE id > ?1",
            ]
            for part in parts {
                #expect(statements.contains { $0.contains(part) }, "\(part)")
            }
        }
    }

    @Test(arguments: [
        (GraphStore.walkQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.walkQuery, "SEARCH author_post USING COVERING INDEX author_post_by_post (post_id<?)"),
        (GraphStore.reachQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.mutualsQuery, "SEARCH b USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.authorFeedQuery, "SEARCH author_post USING PRIMARY KEY (author_id=? AND post_id<?)"),
        (GraphStore.audienceQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position>?)"),
        (GraphStore.followersQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position<?)"),
        (GraphStore.followingQuery, "COVERING INDEX follow_by_follower (follower_id=? AND position<?)"),
    ])
    func `a hot query uses the index that was made for it`(query: String, step: String) async throws {
        try await withGraph { fixture in
            let plan = try await fixture.plan(query)
            #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.hasSuffix(step) }, "\(plan)")
        }
    }

    @Test(arguments: [
        "SELECT id FROM post WHERE caption = ?1",
        "SELECT follower_id FROM follow WHERE position > ?1",
        "SELECT id FROM account WHERE id > ?1 ORDER BY created_at",
        "SELECT DISTINCT author_id FROM post WHERE id < ?1",
        "DELETE FROM outbox WHERE kind = ?1",
    ])
    func `a statement that scans or sorts is noticed`(statement: String) async throws {
        try await withGraph { fixture in
            let faults = try await fixture.planFaults(statement)
            #expect(!faults.isEmpty)
        }
    }

    /// What the graph sends when everything that it can do is done once.
    static func allStatements(of fixture: GraphFixture) async throws -> Set<String> {
        let recorder = RecordingDatabase(fixture.database)
        let graph = GraphStore(database: recorder)
        try await write(graph)
        try await read(graph)
        return recorder.statements
    }

    private static func write(_ graph: GraphStore) async throws {
        let ann = try await graph.createAccount(username: "ann", email: "ann@example.org", passwordHash: "x").id
        let bob = try await graph.createAccount(username: "bob", email: nil, passwordHash: nil).id
        try await graph.follow(bob, ann)
        let post = NewPost(
            author: ann, caption: "c", mediaURL: "m", category: "c", algorithmTags: ["t"], collaborators: [bob],
            link: "l")
        let id = try await graph.publish(post, idempotency: IdempotencyKey(key: "k", fingerprint: [1])).id
        try await graph.publish(batch: [post])
        try await graph.deletePost(id, by: ann)
        try await graph.unfollow(bob, ann)
        try await graph.enqueueDrop(of: [ann])
        try await graph.enqueueBuild(of: [ann])
        let lease = try await graph.leaseOutbox()
        let (finished, begun) = (JobID(rawValue: 1), JobID(rawValue: 2))
        try await graph.settleOutbox(incarnation: lease, finished: [finished], progressed: [(begun, .start)])
        var importer = FollowImporter(graph: graph)
        // Names that the importer does not know yet; enough of them for a reader whose home is walked.
        let names = (0...SocialGraphLimits.homeProbeFollowees).map { "name\($0)" }
        try await importer.write(names.map { (follower: "wide", followee: $0) })
        try await importer.write([(follower: "ann", followee: "bob")])
        try await graph.store("value", as: "name")
        try await graph.prune()
    }

    private static func read(_ graph: GraphStore) async throws {
        let ann = try await graph.account(username: "ann")?.id ?? UserID(rawValue: 0)
        let bob = try await graph.account(username: "bob")?.id ?? UserID(rawValue: 0)
        let wide = try await graph.account(username: "wide")?.id ?? UserID(rawValue: 0)
        let post = try await graph.authorFeed(of: ann, below: nil, limit: 1).first ?? PostID(rawValue: 0)
        _ = try await graph.account(ann)
        _ = try await graph.credentials(email: "ann@example.org")
        _ = try await graph.tokenEpoch(ann)
        _ = try await graph.accountIDs(above: nil, limit: 5)
        _ = try await graph.mostFollowed(limit: 5)
        _ = try await graph.follows(ann, bob)
        for direction in [FollowDirection.followers, .following] {
            _ = try await graph.followList(of: ann, direction, below: nil, limit: 5)
        }
        _ = try await graph.mutuals(of: ann, below: nil, limit: 5)
        _ = try await graph.followees(of: ann)
        _ = try await graph.posts([post])
        for viewer in [ann, wide] { _ = try await graph.homeFeed(of: viewer, below: nil, limit: 5) }
        _ = try await graph.homeFeedByDefinition(of: ann, from: post)
        _ = try await graph.unreachable([post], by: bob)
        _ = try await graph.mergeable(of: bob, into: ann, limit: 5)
        _ = try await graph.audience(of: post, past: .start, limit: 5)
        _ = try await graph.outboxJobs(above: nil, limit: 5)
        _ = try await graph.outboxDepth()
        _ = try await graph.pendingWork(for: ann, posts: [post])
        _ = try await graph.latestChange()
        _ = try await graph.changes(in: 1...5)
        _ = try await graph.setting("name")
    }
}

extension GraphFixture {
    fileprivate func plan(_ sql: String) async throws -> [String] {
        try await database.read { try $0.rows("EXPLAIN QUERY PLAN " + sql, []) { $0.text(3) } }
    }

    /// The steps that scan without an ordered walk over an index that ends early, or sort.
    fileprivate func planFaults(_ sql: String) async throws -> [String] {
        try await plan(sql).filter { step in
            // The rows of an INSERT; the head of an ordering, for the most followed.
            let isHarmless = step.contains("CONSTANT ROW") || step == "SCAN account USING INDEX account_by_followers"
            return step.hasPrefix("SCAN") && !isHarmless || step.contains("TEMP B-TREE")
        }
    }
}
