import SocialGraph
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ReferenceModelTests {
    @Test(arguments: [RandomHistory.Shape.small, .wide, .vast], [1, 20_260_101, 0xFEED_5EED] as [UInt64])
    func `every answer equals the model's after any history`(shape: RandomHistory.Shape, seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = RandomHistory(fixture, shape: shape, seed: seed)
            let disagreement = try await history.run()
            #expect(disagreement == nil, "seed \(seed): \(disagreement?.description ?? "")")
            #expect(try await fixture.countsThatDifferFromRows().isEmpty)
        }
    }

    @Test(arguments: ReferenceGraph.Defect.allCases)
    func `a model that is wrong is noticed`(defect: ReferenceGraph.Defect) async throws {
        try await withGraph { fixture in
            var history = RandomHistory(fixture, shape: .small, seed: 7, defect: defect)
            let disagreement = try await history.run()
            #expect(disagreement != nil)
        }
    }

    @Test
    func `counts that differ from rows are noticed`() async throws {
        try await withGraph { fixture in
            let user = try await fixture.user("ann")
            #expect(try await fixture.countsThatDifferFromRows().isEmpty)
            _ = try await fixture.database.write { transaction in
                try transaction.execute("UPDATE account SET posts_count = 1 WHERE id = ?1", [.user(user)])
            }
            #expect(try await fixture.countsThatDifferFromRows() == [user.rawValue])
        }
    }
}

extension GraphFixture {
    /// Accounts whose counts are not what counting rows gives.
    fileprivate func countsThatDifferFromRows() async throws -> [Int64] {
        try await integers(
            """
            SELECT id FROM account a
            WHERE followers_count <> (SELECT COUNT(*) FROM follow WHERE followee_id = a.id)
               OR following_count <> (SELECT COUNT(*) FROM follow WHERE follower_id = a.id)
               OR posts_count <> (SELECT COUNT(*) FROM author_post WHERE author_id = a.id)
            """)
    }
}
