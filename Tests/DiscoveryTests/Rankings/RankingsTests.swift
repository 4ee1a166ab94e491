import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct RankingsTests {
    private static let name = RankingName.trending(.day)

    private func everything(_ posts: [PostID]) -> [PostID?] { posts }

    @Test
    func `a ranking is made once for all who ask, and anew when it is old`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(2)
            try await fixture.engage(posts[0], likes: 1)
            let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<20 { group.addTask { try await fixture.rankings.current(Self.name).id } }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            try await fixture.engage(posts[1], likes: 2)
            fixture.clock.advance(by: DiscoveryLimits.freshness - 1)
            #expect(try await fixture.rankings.current(Self.name).posts == [posts[0]])
            fixture.clock.advance(by: 1)
            _ = try await fixture.rankings.current(Self.name)
            await fixture.rankings.waitForRefresh()
            let next = try await fixture.rankings.current(Self.name)
            #expect(next.posts == [posts[1], posts[0]] && !ids.contains(next.id))
            // After a long pause, the ranking is recalculated before it is served.
            try await fixture.engage(posts[0], likes: 5)
            fixture.clock.advance(by: 2 * DiscoveryLimits.freshness)
            #expect(try await fixture.rankings.current(Self.name).posts == [posts[0], posts[1]])
            #expect(try await fixture.rankings.current(.trending(.week)).name == "trending:7d")
        }
    }

    @Test
    func `a failure is told and the next to ask tries again`() async throws {
        struct Failure: Error {}
        let clock = AdjustableClock()
        let attempts = Attempts()
        let value = CachedValue(freshness: 1_000, clock: { clock.now }) {
            if await attempts.next() == 1 { throw Failure() }
            return 7
        }
        await #expect(throws: Failure.self) { _ = try await value.value() }
        #expect(try await value.value() == 7)
        // Setting the clock back does not extend the value's lifetime.
        clock.advance(by: -5_000)
        #expect(try await value.value() == 7)
        #expect(await attempts.count == 3)
    }

    private actor Attempts {
        var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }

    @Test
    func `a cursor works for a quarter of an hour, also after a restart, and then no more`() async throws {
        try await withDiscovery { fixture in
            for post in try await fixture.posts(5) { try await fixture.engage(post, likes: post.rawValue % 7 + 1) }
            let whole = try await fixture.rankings.current(Self.name).posts
            let first = try #require(
                try await fixture.rankings.page(of: Self.name, cursor: nil, limit: 2, show: everything))
            let cursor = try #require(first.next)
            #expect(first.items == Array(whole[..<2]))
            let second = try fixture.restarted()
            fixture.clock.advance(by: 15 * 60_000)
            // Storing another ranking deletes expired ones.
            _ = try await fixture.rankings.current(.trending(.week))
            for rankings in [fixture.rankings, second.rankings] {
                let page = try #require(
                    try await rankings.page(of: Self.name, cursor: cursor, limit: 2, show: everything))
                #expect(page.items == Array(whole[2..<4]))
            }
            fixture.clock.advance(by: 5 * 60_000 + 1)
            let third = try fixture.restarted()
            for rankings in [fixture.rankings, second.rankings, third.rankings] {
                await #expect(throws: GraphError.rankingExpired) {
                    _ = try await rankings.page(of: Self.name, cursor: cursor, limit: 2, show: everything)
                }
            }
            try await fixture.graph.changes.prune()
            #expect(try await fixture.graph.rankings.ranking(cursor.ranking) == nil)
            await #expect(throws: GraphError.rankingExpired) { _ = try await third.rankings.ranking(1) }
            try second.database.close()
            try third.database.close()
        }
    }

    @Test
    func `a restart goes on with the ranking that is fresh`() async throws {
        try await withDiscovery { fixture in
            try await fixture.engage(try await fixture.posts(1)[0], likes: 1)
            let before = try await fixture.rankings.current(Self.name)
            fixture.clock.advance(by: DiscoveryLimits.freshness / 2)
            let second = try fixture.restarted()
            #expect(try await second.rankings.current(Self.name) == before)
            fixture.clock.advance(by: 3 * DiscoveryLimits.freshness)
            #expect(try await second.rankings.current(Self.name).id > before.id)
            try second.database.close()
        }
    }

    @Test
    func `a cursor of another ranking, or beyond the end, is none`() async throws {
        try await withDiscovery { fixture in
            for post in try await fixture.posts(2) { try await fixture.engage(post, likes: 1) }
            let id = try await fixture.rankings.current(Self.name).id
            func page(_ name: RankingName, _ offset: Int) async throws -> [PostID]? {
                try await fixture.rankings.page(
                    of: name, cursor: RankingCursor(ranking: id, offset: offset), limit: 5, show: everything)?.items
            }
            #expect(try await page(Self.name, 1)?.count == 1)
            #expect(try await page(Self.name, 2) == [])
            #expect(try await page(Self.name, 3) == nil)
            #expect(try await page(.trending(.hour), 1) == nil)
            #expect(try await page(.business(.week), 1) == nil)
        }
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".1", "1.0", "0.1", "01.1", "1.01", "-1.1", "1.-1", "+1.1", "1.1.1", " 1.1", "a.b",
        "1.100001",
        "9007199254740992.1", "99999999999999999999.1", "1.1\u{660}",
    ])
    func `what is no cursor is refused`(text: String) {
        #expect(RankingCursor(text) == nil)
    }

    @Test
    func `a cursor is its text`() {
        for cursor in [
            RankingCursor(ranking: 1, offset: 1), RankingCursor(ranking: 9_007_199_254_740_991, offset: 100_000),
        ] {
            #expect(RankingCursor(cursor.text) == cursor)
        }
    }

    @Test
    func `the business ranking has what has a rating, by its lower bound`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(5)
            fixture.grow()
            try await fixture.engage(posts[0], likes: 20)
            try await fixture.engage(posts[1], likes: 200)
            try await fixture.engage(posts[2], likes: 19)
            try await fixture.engage(posts[3], hoursAgo: 200, likes: 500)
            try await fixture.engage(posts[4], likes: 50)
            try await fixture.engage(posts[4], hoursAgo: 200, likes: 50)
            let ranking = try await fixture.rankings.current(.business(.week))
            #expect(ranking.posts == [posts[1], posts[0], posts[4], posts[3]])
        }
    }
}
