import Database
import Moderation
import SocialGraph
import TestSupport
import Testing

@Suite(.timeLimit(.model))
struct ReferenceModelTests {
    /// On PostgreSQL, ``KilledServerModelTests`` runs 10,000 steps more.
    private static let seeds: [UInt64] = Engine.ofTestRun == .sqlite ? [1, 20_260_101, 0xFEED_5EED] : [1]

    @Test(arguments: [RandomHistory.Shape.small, .swarm, .wide, .vast], Self.seeds)
    func `every answer equals the model's after any history`(shape: RandomHistory.Shape, seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = RandomHistory(fixture, shape: shape, seed: seed)
            let disagreement = try await history.run()
            #expect(disagreement == nil, "seed \(seed): \(disagreement?.description ?? "")")
            #expect(try await fixture.countsThatDifferFromRows().isEmpty)
        }
    }

    @Test(arguments: [
        "UPDATE account SET posts_count = 1 WHERE username = 'ann'",
        "UPDATE account SET followers_count = 1 WHERE username = 'ann'",
        "UPDATE post SET shares_count = 1", "UPDATE post SET sharers_count = 1",
        "UPDATE community SET members_count = 2",
    ])
    func `counts that differ from rows are noticed`(statement: String) async throws {
        try await withGraph { fixture in
            let user = try await fixture.user("ann")
            let community = try await fixture.graph.communities.createCommunity(name: "c", description: "", by: user)
            let hidden = try await fixture.post(fixture.user("bob"))
            try await fixture.graph.communities.setTakenDown(true, post: hidden)
            #expect(try await fixture.countsThatDifferFromRows().isEmpty)
            try await fixture.database.write { try $0.execute(statement, []) }
            let found = try await fixture.countsThatDifferFromRows()
            #expect(!found.isEmpty)
            #expect(Set(found).isSubset(of: [user.rawValue, community.id.rawValue, hidden.rawValue]))
        }
    }
}

extension GraphFixture {
    /// Accounts, posts and communities whose stored counts differ from the number of rows.
    fileprivate func countsThatDifferFromRows() async throws -> [Int64] {
        try await integers(
            """
            SELECT id FROM account a
            WHERE followers_count <> (SELECT COUNT(*) FROM follow WHERE followee_id = a.id)
               OR following_count <> (SELECT COUNT(*) FROM follow WHERE follower_id = a.id)
               OR posts_count <> (SELECT COUNT(*) FROM author_post ap JOIN post p ON p.id = ap.post_id
                   WHERE ap.author_id = a.id
                       AND p.held_at IS NULL AND p.removed_at IS NULL AND p.taken_down_at IS NULL)
            UNION ALL
            SELECT id FROM post p WHERE deleted_at IS NULL
               AND (shares_count <> (SELECT COUNT(*) FROM reshare WHERE post_id = p.id)
                   OR sharers_count <> shares_count)
            UNION ALL
            SELECT id FROM community c
            WHERE members_count <> (SELECT COUNT(*) FROM community_member WHERE community_id = c.id)
            """)
    }
}
