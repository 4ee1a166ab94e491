import Database
import Moderation
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct TrendsTests {
    private static let day: Int64 = 24

    @Test
    func `a topic is rated by its public posts of both periods`() async throws {
        try await withDiscovery { fixture in
            let risingPosts = try await fixture.posts(10, tags: ["Rising"])
            let steadyPosts = try await fixture.posts(10, tags: ["steady"])
            fixture.grow()
            for post in risingPosts {
                try await fixture.engage(post, hoursAgo: 1, likes: 6, comments: 2, shares: 1)
                try await fixture.engage(post, hoursAgo: 30, likes: 1)
                // This is before both periods of a day, and within those of a week.
                try await fixture.engage(post, hoursAgo: 60, likes: 100)
            }
            for post in steadyPosts {
                try await fixture.engage(post, hoursAgo: 2, likes: 5)
                try await fixture.engage(post, hoursAgo: 40, likes: 5)
            }
            let trends = try await fixture.trends.topics(.day, limit: 10)
            #expect(trends.map(\.name) == ["Rising", "steady"])
            let rising = try #require(trends.first)
            let statistics = try #require(rising.statistics)
            let periods = TrendWindow.day.periods(at: fixture.clock.now)
            #expect(statistics.rating == periods.lengths.share(0.9))
            #expect(rising.engagements == 100 && rising.posts == 10 && rising.kind == .tag)
            #expect(statistics.lower < 0.9 && statistics.lower > 0.8 && statistics.upper > 0.9)
            #expect(try await fixture.trends.topics(.week, limit: 10).first?.engagements == 1_100)
        }
    }

    @Test
    func `categories and tags are told apart, and a limit is kept`() async throws {
        try await withDiscovery { fixture in
            for _ in 0..<10 {
                let post = try await fixture.post(category: "Sport", tags: ["sport", "other"])
                try await fixture.engage(post, likes: 5)
            }
            #expect(try await fixture.trends.topics(.week, limit: 10).count == 3)
            #expect(try await fixture.trends.topics(.week, limit: 2).count == 2)
            #expect(try await fixture.trends.topics(.week, kind: .category, limit: 10).map(\.name) == ["Sport"])
            let tags = try await fixture.trends.topics(.week, kind: .tag, limit: 10)
            #expect(Set(tags.map(\.name)) == ["sport", "other"])
        }
    }

    @Test
    func `what has too little to go by is listed last and has no rating`() async throws {
        try await withDiscovery { fixture in
            let falling = try await fixture.posts(10, tags: ["falling"])
            let (single, small) = (try await fixture.post(tags: ["single"]), try await fixture.post(tags: ["small"]))
            fixture.grow()
            for post in falling { try await fixture.engage(post, hoursAgo: 170, likes: 5) }
            try await fixture.engage(single, likes: 1_000)
            try await fixture.engage(small, likes: 1)
            let trends = try await fixture.trends.topics(.week, limit: 10)
            #expect(trends.map(\.name) == ["falling", "single", "small"])
            #expect(trends.map { $0.statistics == nil } == [false, true, true])
        }
    }

    @Test
    func `what is not public counts for nothing`() async throws {
        try await withDiscovery { fixture in
            let owner = try await fixture.user()
            let community = try await fixture.graph.communities.createCommunity(name: "c", description: "", by: owner)
                .id
            let hidden = [
                try await fixture.post(tags: ["followers"], visibility: .followers),
                try await fixture.post(tags: ["down"]), try await fixture.post(tags: ["deleted"]),
                try await fixture.post(tags: ["removed"], community: community),
            ]
            for post in hidden { try await fixture.engage(post, likes: 10) }
            try await fixture.engage(try await fixture.post(tags: ["open"], community: community), likes: 10)
            try await fixture.graph.communities.setTakenDown(true, post: hidden[1])
            try await fixture.graph.posts.deletePost(hidden[2], by: owner)
            try await fixture.graph.communities.setRemoved(true, post: hidden[3])
            #expect(try await fixture.trends.topics(.week, limit: 10).map(\.name) == ["open"])
            try await fixture.database.write { try $0.execute("UPDATE community SET is_private = 1", []) }
            fixture.clock.advance(by: 2 * DiscoveryLimits.freshness)
            #expect(try await fixture.trends.topics(.week, limit: 10).isEmpty)
        }
    }

    @Test
    func `a post is rated by its likes`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(3)
            fixture.grow()
            try await fixture.engage(posts[0], likes: 30, comments: 500, shares: 500)
            try await fixture.engage(posts[0], hoursAgo: 200, likes: 10)
            try await fixture.engage(posts[1], likes: 19, comments: 500)
            let found = try await fixture.trends.posts(posts + [PostID(rawValue: 1)])
            let lengths = TrendWindow.week.periods(at: fixture.clock.now).lengths
            #expect(found[0] == TrendStatistics(PeriodCounts(later: 30, earlier: 10), lengths: lengths))
            #expect(found[0] != nil && found[1] == nil && found[2] == nil && found[3] == nil)
            #expect(try await fixture.trends.post(posts[0]) == found[0])
        }
    }

    @Test
    func `trends are worked out anew when they are old, once, while others have the former ones`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(2)
            try await fixture.engage(posts[0], likes: 20)
            func rated() async throws -> [Bool] { try await fixture.trends.posts(posts).map { $0 != nil } }
            #expect(try await rated() == [true, false])
            try await fixture.engage(posts[1], likes: 20)
            fixture.clock.advance(by: DiscoveryLimits.freshness - 1)
            #expect(try await rated() == [true, false])
            fixture.clock.advance(by: 1)
            #expect(try await rated() == [true, false])
            await fixture.trends.waitForRefresh()
            #expect(try await rated() == [true, true])
            try await fixture.engage(posts[0], likes: -20)
            fixture.clock.advance(by: 2 * DiscoveryLimits.freshness)
            #expect(try await rated() == [false, true])
        }
    }

    @Test
    func `hours that nothing asks for are forgotten`() async throws {
        try await withDiscovery { fixture in
            let post = try await fixture.posts(1)[0]
            let kept = 2 * TrendWindow.week.hours
            for hoursAgo in [0, kept, kept + 25] { try await fixture.engage(post, hoursAgo: hoursAgo, likes: 1) }
            try await fixture.graph.changes.prune()
            let left = try await fixture.graph.trends.engagement(of: [post], in: 0...fixture.hour)
            #expect(left.map { fixture.hour - $0.hour }.sorted() == [0, kept])
        }
    }
}
