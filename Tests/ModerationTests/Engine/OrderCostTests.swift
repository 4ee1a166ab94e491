import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// The work of orders and undos, which does not grow with what is in force on a subject, or was.
@Suite(.timeLimit(.unit))
struct OrderCostTests {
    @Test
    func `a repeated subject is changed once`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (member, other) = (town.members[0], town.members[1])
            let subjects = Array(repeating: ModerationSubject.user(member), count: 999) + [.user(other)]
            let outcome = try await town.order(.warnUser, subjects, in: town.square, by: town.owner)
            #expect(outcome.results.map(\.subject) == subjects)
            let changed = outcome.results.indices.filter { outcome.results[$0].isChanged }
            #expect(changed == [0, 999])
            #expect(try await town.graph.modlog.strikes(of: member, in: town.square).count == 1)
            let notices = try await fixture.integer(
                "SELECT COUNT(*) FROM notification WHERE kind = 'moderation' AND user_id = \(member.rawValue)")
            #expect(notices == 1)
            let undone = try await town.graph.moderation.undo(try #require(outcome.batch), by: town.owner)
            #expect(undone.results.map(\.subject) == [.user(member), .user(other)])
        }
    }

    @Test(arguments: [[ModerationAction.warnUser], [.featurePost, .unfeaturePost], [.removePost, .restorePost]])
    func `an order reads as many rows however many effects are in force`(actions: [ModerationAction]) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let rows = CountedRows()
            let graph = GraphStore(database: RowCountingDatabase(inner: fixture.database, rows: rows))
            var costs: [Int] = []
            for round in 0..<80 {
                let action = actions[round % actions.count]
                let subject: ModerationSubject =
                    action.subjectKind == .user ? .user(town.members[0]) : .post(town.posts[0])
                let order = ModerationOrder(action, [subject], community: town.square, reason: "because")
                let before = rows.count
                let outcome = try await graph.moderation.moderate(order, by: town.owner)
                #expect(outcome.batch != nil, "\(action) \(round)")
                costs.append(rows.count - before)
            }
            let inForce = try await fixture.integer("SELECT COUNT(*) FROM moderation_effect WHERE ended_at IS NULL")
            #expect(inForce ?? 0 >= 80)
            // From the 20th on, the stack is longer than the part of it that is read.
            #expect(costs[78] <= costs[38] + 4 && costs[79] <= costs[39] + 4, "\(costs)")
        }
    }

    @Test
    func `the newest effects are found by an index of those in force`() async throws {
        try await withGraph(on: .sqlite) { fixture in
            let plan = try await fixture.database.read { reader in
                try reader.rows("EXPLAIN QUERY PLAN " + FacetStore.Reader.newestEffectsQuery, []) { $0.text(3) }
            }
            let index = "INDEX moderation_effect_by_scope (subject_id=? AND facet=? AND community_id=? AND is_site=?)"
            #expect(plan.count == 1 && plan[0].hasSuffix(index), "\(plan)")
        }
    }

    @Test
    func `the undos below a batch are followed for all of its entries together`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let featured = try await town.order(.featurePost, town.posts.map { .post($0) }, by: town.owner)
            var batch = try #require(featured.batch)
            var trips: [Int] = []
            for _ in 0..<12 {
                let noted = RoundTrips()
                let graph = GraphStore(database: CountedDatabase(fixture.database) { noted.note() })
                batch = try #require(try await graph.moderation.undo(batch, by: town.owner).batch)
                trips.append(noted.count)
            }
            // Eight undos more in a row, below three entries.
            #expect(trips[10] - trips[2] < 16, "\(trips)")
        }
    }

    @Test
    func `after so many undos in a row, the order itself can be undone`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let post = town.posts[0]
            func isFeatured() async throws -> Bool {
                try await fixture.integer("SELECT featured_at IS NOT NULL FROM post WHERE id = \(post.rawValue)") == 1
            }
            let first = try #require(try await town.order(.featurePost, [.post(post)], by: town.owner).batch)
            var last = first
            for _ in 0..<ModerationLimits.undosInARow {
                last = try #require(try await town.graph.moderation.undo(last, by: town.owner).batch)
            }
            #expect(try await isFeatured())
            let refused = last
            await #expect {
                _ = try await town.graph.moderation.undo(refused, by: town.owner)
            } throws: { error in
                isNotApplicable(error)
            }
            #expect(try await town.graph.moderation.undo(first, by: town.owner).batch != nil)
            #expect(try await !isFeatured())
        }
    }

    @Test
    func `a membership has a bounded number of effects in force`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let member = town.members[0]
            func order(_ action: ModerationAction) async throws -> BatchID? {
                try await town.order(action, [.user(member)], in: town.square, by: town.owner).batch
            }
            var last: BatchID?
            for round in 0..<ModerationLimits.effectsPerMembership {
                last = try await order(round.isMultiple(of: 2) ? .banMember : .unbanMember)
                #expect(last != nil)
            }
            await #expect {
                _ = try await order(.banMember)
            } throws: { error in
                isNotApplicable(error)
            }
            let undone = try await town.graph.moderation.undo(try #require(last), by: town.owner)
            #expect(try await order(.unbanMember) != nil)
            // There is no room for the effect that this would restore.
            let batch = try #require(undone.batch)
            await #expect {
                _ = try await town.graph.moderation.undo(batch, by: town.owner)
            } throws: { error in
                isNotApplicable(error)
            }
        }
    }

    private func isNotApplicable(_ error: any Error) -> Bool {
        guard case .notApplicable? = error as? ModerationError else { return false }
        return true
    }
}
