import Database
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct TrendingTests {
    private static let start: Int64 = 1_780_000_000_000
    private static let hour = DiscoveryFixture.hour

    private func worth(_ window: TrendingWindow, hoursAgo: Int64, likes: Int64 = 1, at now: Int64) -> Double {
        TrendingScore(now: now, window: window).worth(
            HourOfEngagement(
                hour: now / Self.hour - hoursAgo, post: PostID(rawValue: 1),
                counts: EngagementCounts(likes: likes, comments: 0, shares: 0)))
    }

    @Test
    func `an act counts half after each half-life, and a sixteenth when it leaves the window`() {
        for window in TrendingWindow.allCases {
            let score = TrendingScore(now: Self.start, window: window)
            #expect(score.worth(.like, at: Self.start) == 1)
            #expect(score.worth(.like, at: Self.start - window.halfLife) == 0.5)
            #expect(score.worth(.like, at: score.start) == 1 / 16.0)
            #expect(score.worth(.comment, at: Self.start) == 2)
            #expect(score.worth(.reshare, at: Self.start) == 3 && score.worth(.externalShare, at: Self.start) == 3)
        }
    }

    @Test
    func `an hour counts as its middle, and one that the window cuts by its part`() {
        let now = Self.start / Self.hour * Self.hour + Self.hour / 2
        // The current hour is half over, so its engagement is a quarter of an hour old on average.
        #expect(abs(worth(.day, hoursAgo: 0, at: now) - pow2(-0.25 / 6)) < 1e-9)
        #expect(abs(worth(.day, hoursAgo: 6, at: now) - pow2(-6.0 / 6)) < 1e-9)
        #expect(abs(worth(.day, hoursAgo: 24, at: now) - 0.5 * pow2(-23.75 / 6)) < 1e-9)
        #expect(TrendingScore(now: now, window: .day).hours.count == 25)
        #expect(worth(.day, hoursAgo: 1, likes: -5, at: now) == 0)
    }

    private func pow2(_ exponent: Double) -> Double {
        // An independent calculation: e to the power of the logarithm, as a series.
        let x = exponent * 0.6931471805599453
        return (1...40).reversed().reduce(1) { 1 + x / Double($1) * $0 }
    }

    @Test
    func `posts rank by decayed engagement, the newer of equal ones first`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(6)
            try await fixture.engage(posts[0], likes: 5)
            try await fixture.engage(posts[1], hoursAgo: 12, likes: 10)
            try await fixture.engage(posts[2], comments: 4)
            try await fixture.engage(posts[3], shares: 1)
            try await fixture.engage(posts[4], likes: 5)
            try await fixture.engage(posts[5], hoursAgo: 30, likes: 1_000)
            let day = try await Trending.rank(fixture.graph, .day, now: fixture.clock.now)
            #expect(day == [posts[2], posts[4], posts[0], posts[3], posts[1]])
            let week = try await Trending.rank(fixture.graph, .week, now: fixture.clock.now)
            #expect(week == [posts[5], posts[1], posts[2], posts[4], posts[0], posts[3]])
        }
    }

    @Test(arguments: TrendingWindow.allCases)
    func `what one user does several times with a post weighs as one`(window: TrendingWindow) async throws {
        try await withDiscovery { fixture in
            let (busy, other) = (try await fixture.user("busy"), try await fixture.user("other"))
            let (pushed, liked) = (try await fixture.post(), try await fixture.post())
            for _ in 0..<50 {
                try await fixture.graph.engagement.shareExternally(pushed, by: busy, platform: "elsewhere")
                try await fixture.graph.comments.comment(on: pushed, by: busy, content: "c")
                fixture.clock.advance(by: 1_000)
            }
            try await fixture.graph.reshares.reshare(pushed, by: busy)
            // A share and a comment by one user are worth 5, three shares by two users 6.
            try await fixture.graph.reshares.reshare(liked, by: busy)
            try await fixture.graph.engagement.shareExternally(liked, by: other, platform: "elsewhere")
            let now = fixture.clock.now
            #expect(try await Trending.rank(fixture.graph, window, now: now) == [liked, pushed])
            let popular = try await fixture.graph.search.popularPosts(having: nil, PostFilter(), limit: 9)
            #expect(popular?.map(\.post).prefix(2) == [liked, pushed] && popular?.first?.popularity == 6)
        }
    }

    @Test
    func `within one hour each act counts at its own time`() async throws {
        try await withDiscovery { fixture in
            let users = [try await fixture.user("a"), try await fixture.user("b"), try await fixture.user("c")]
            let posts = try await fixture.posts(4)
            try await fixture.like(posts[3], by: users[0])
            fixture.clock.advance(by: Self.hour / 4)
            for user in users { try await fixture.like(posts[0], by: user) }
            fixture.clock.advance(by: Self.hour / 2)
            for user in users.prefix(2) { try await fixture.like(posts[1], by: user) }
            fixture.clock.advance(by: Self.hour / 4 + 1)
            // Three likes are more than two half-lives old, two are one half-life old.
            #expect(
                try await Trending.rank(fixture.graph, .hour, now: fixture.clock.now) == [posts[1], posts[0]])
            try await fixture.graph.reshares.reshare(posts[2], by: users[0])
            #expect(
                try await Trending.rank(fixture.graph, .hour, now: fixture.clock.now)
                    == [posts[2], posts[1], posts[0]])
        }
    }
}
