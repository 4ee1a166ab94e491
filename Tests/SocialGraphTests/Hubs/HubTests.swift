@testable import SocialGraph
import Database
import Importing
import TestSupport
import Testing

/// Switches between push and pull.
@Suite(.timeLimit(.unit))
struct HubTests {
    /// Runs `body` with a hub above a threshold of 10, with 12 followers.
    private func withHub(_ body: (GraphFixture, UserID, [UserID]) async throws -> Void) async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("author")
            let fans = try await fixture.users(12, prefix: "fan")
            try await fixture.graph.hubs.setHubThreshold(10)
            for fan in fans { try await fixture.graph.follows.follow(fan, author) }
            try await fixture.acknowledgeAll()
            try await body(fixture, author, fans)
        }
    }

    private func since(_ fixture: GraphFixture) async throws -> FeedPosition {
        FeedPosition(rawValue: try #require(try await fixture.integer("SELECT since FROM hub")))
    }

    @Test
    func `an author becomes a hub above the threshold, not at it, and only once`() async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("author")
            let fans = try await fixture.users(4)
            try await fixture.graph.hubs.setHubThreshold(2)
            for fan in fans.prefix(2) { try await fixture.graph.follows.follow(fan, author) }
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == nil)
            let log = CommitLog(of: fixture.database)
            try await fixture.graph.follows.follow(fans[2], author)
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .pulled)
            let before = try await since(fixture)
            try await fixture.graph.follows.follow(fans[3], author)
            #expect(try await since(fixture) == before)
            let switches = log.changes.filter { $0.kind == .hubChanged }
            #expect(switches == [GraphChange.hubChanged(author)])
            // Switching to pull needs no jobs.
            #expect(try await fixture.work().allSatisfy { if case .backfill = $0 { false } else { true } })
        }
    }

    @Test
    func `an author is pushed again below four fifths of the threshold, not at it`() async throws {
        try await withHub { fixture, author, fans in
            for fan in fans.prefix(4) { try await fixture.graph.follows.unfollow(fan, author) }
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .pulled)
            try await fixture.acknowledgeAll()
            try await fixture.graph.follows.unfollow(fans[4], author)
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .returning)
            #expect(try await fixture.work().contains(.backfill(author: author, since: since(fixture))))
            // Nothing changes between the two thresholds.
            for fan in fans.prefix(3) { try await fixture.graph.follows.follow(fan, author) }
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .returning)
        }
    }

    @Test
    func `a backfill ends the pulling, once`() async throws {
        try await withHub { fixture, author, _ in
            try await fixture.graph.hubs.setHubThreshold(0)
            let backfill = try await since(fixture)
            let log = CommitLog(of: fixture.database)
            #expect(try await fixture.graph.hubs.finishBackfill(of: author, since: backfill))
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == nil)
            #expect(try await !fixture.graph.hubs.finishBackfill(of: author, since: backfill))
            #expect(log.changes == [GraphChange.hubChanged(author)])
        }
    }

    @Test
    func `an earlier backfill does nothing to an author who is a hub again, or is backfilled again`() async throws {
        try await withHub { fixture, author, _ in
            let graph = fixture.graph
            try await graph.hubs.setHubThreshold(0)
            let first = try await since(fixture)
            try await graph.hubs.setHubThreshold(5)
            #expect(try await graph.hubs.hubPhase(of: author) == .pulled)
            #expect(try await since(fixture) > first)
            #expect(try await !graph.hubs.finishBackfill(of: author, since: first))
            #expect(try await !graph.hubs.finishBackfill(of: author, since: since(fixture)))
            #expect(try await graph.hubs.hubPhase(of: author) == .pulled)
            try await graph.hubs.setHubThreshold(0)
            #expect(try await !graph.hubs.finishBackfill(of: author, since: first))
            #expect(try await graph.hubs.hubPhase(of: author) == .returning)
            let backfills = try await fixture.work().filter { if case .backfill = $0 { true } else { false } }
            #expect(
                backfills == [
                    .backfill(author: author, since: first), .backfill(author: author, since: try await since(fixture)),
                ])
            #expect(try await graph.hubs.finishBackfill(of: author, since: since(fixture)))
        }
    }

    @Test
    func `a new threshold switches exactly those whom it concerns`() async throws {
        try await withHub { fixture, author, fans in
            let small = try await fixture.user("small")
            for fan in fans.prefix(3) { try await fixture.graph.follows.follow(fan, small) }
            #expect(try await fixture.graph.hubs.setHubThreshold(11) == 0)
            #expect(try await fixture.graph.hubs.setHubThreshold(2) == 1)
            #expect(try await Set(fixture.graph.hubs.hubs().map(\.user)) == [author, small])
            #expect(try await fixture.graph.hubs.setHubThreshold(15) == 1)
            #expect(try await fixture.graph.hubs.hubPhase(of: small) == .returning)
            // The lower limit is 12, four fifths of 15.
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .pulled)
            #expect(try await fixture.graph.hubs.setHubThreshold(0) == 1)
            #expect(try await fixture.graph.hubs.setHubThreshold(0) == 0)
        }
    }

    @Test
    func `an import switches as a follow does, and a threshold outlives the process`() async throws {
        try await withGraph { fixture in
            try await fixture.graph.hubs.setHubThreshold(3)
            let other = try fixture.another()
            var importer = FollowImporter(graph: other.graph)
            try await importer.write((0..<4).map { ("fan\($0)", "author") } + [("fan1", "fan2")])
            let author = try #require(try await fixture.graph.accounts.account(username: "author")?.id)
            #expect(try await fixture.graph.hubs.hubs().map(\.user) == [author])
            try other.database.close()
        }
    }

    @Test
    func `a block that costs a hub its followers sends it back`() async throws {
        try await withHub { fixture, author, fans in
            for fan in fans.prefix(5) { try await fixture.graph.blocksAndMutes.block(author, fan) }
            #expect(try await fixture.graph.hubs.hubPhase(of: author) == .returning)
        }
    }

    @Test
    func `a window leaves a hub's posts and reshares out while it is pulled, and has its own reader's`() async throws {
        try await withHub { fixture, author, fans in
            let graph = fixture.graph
            let stranger = try await fixture.post(fixture.user("stranger"))
            let post = try await fixture.post(author)
            try await graph.reshares.reshare(stranger, by: author)
            let reshare = try #require(try await graph.feeds.reshares(of: stranger, limit: 1).first?.position)
            let both = [FeedEntry(position: reshare, post: stranger), FeedEntry(post)]
            #expect(try await graph.feeds.windowEntries(of: fans[0], limit: 9) == [])
            #expect(
                try await graph.feeds.windowPositions(of: post, for: [fans[0], author]) == [nil, FeedPosition(post)])
            #expect(try await graph.feeds.windowPositions(of: stranger, for: [fans[0], author]) == [nil, reshare])
            #expect(try await graph.feeds.windowEntries(of: author, limit: 9) == both)
            #expect(try await graph.feeds.homeByDefinition(of: fans[0]) == both)
            let context = try await graph.feeds.viewerContext(of: fans[0])
            #expect(try await graph.feeds.homeSlice(of: context, below: .end, limit: 9).entries == both)
            #expect(try await graph.feeds.windowByDefinition(of: fans[0], from: .beginning, holding: []) == [])
            let held = try await graph.feeds.windowByDefinition(of: fans[0], from: .beginning, holding: both)
            #expect(held.map(\.post) == [post, stranger] && held.map(\.pushed) == [nil, nil])
            #expect(held.map(\.places) == [[FeedPosition(post)], [reshare]])
            try await graph.hubs.setHubThreshold(0)
            #expect(try await graph.feeds.windowEntries(of: fans[0], limit: 9) == both)
            #expect(try await graph.feeds.windowPositions(of: stranger, for: [fans[0]]) == [reshare])
        }
    }

    @Test
    func `switches survive reopening`() async throws {
        try await withHub { fixture, author, _ in
            let other = try fixture.another()
            #expect(try await other.graph.hubs.hubPhase(of: author) == .pulled)
            #expect(try await other.graph.hubs.setHubThreshold(10) == 0)
            try other.database.close()
        }
    }
}
