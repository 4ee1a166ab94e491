import Importing
import Saves
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct RecommendationsTests {
    @Test
    func `a new user is recommended what is popular and what is new, with a reason each`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            #expect(try await fixture.list(reader) == [])
            var posts: [PostID] = []
            for number in 0..<4 { posts.append(try await fixture.post(by: "author\(number)")) }
            for fan in 0..<3 { try await fixture.graph.likes.like(posts[1], by: fixture.user("fan\(fan)")) }
            // Trends are calculated once a minute.
            fixture.discovery.clock.advance(by: 2 * DiscoveryLimits.freshness)
            let list = try await fixture.recommendations.list(for: reader, limit: 9)
            #expect(list.map(\.post) == [posts[1], posts[3], posts[2], posts[0]])
            #expect(list[0].reasons.map(\.kind) == [.popular, .new] && list[1].reasons.map(\.kind) == [.new])
            #expect(list.allSatisfy { (0...1).contains($0.score) && !$0.reasons.isEmpty })
            #expect(zip(list, list.dropFirst()).allSatisfy { $0.score >= $1.score })
        }
    }

    /// Fans of yoga and fans of food, with no posts in common.
    private func twoTastes(_ fixture: RecommendationFixture) async throws -> (yoga: [PostID], food: [PostID]) {
        var (yoga, food): ([PostID], [PostID]) = ([], [])
        for number in 0..<12 {
            yoga.append(try await fixture.post(by: "author\(number)"))
            food.append(try await fixture.post(by: "chef\(number)"))
        }
        for fan in 0..<12 {
            let (one, other) = (try await fixture.user("yogi\(fan)"), try await fixture.user("cook\(fan)"))
            for step in 0..<6 {
                try await fixture.graph.likes.like(yoga[(fan + step) % 12], by: one)
                try await fixture.graph.likes.like(food[(fan + step) % 12], by: other)
            }
        }
        return (yoga, food)
    }

    @Test
    func `what others have liked together is recommended, and says why`() async throws {
        try await withRecommendations { fixture in
            let (yoga, food) = try await twoTastes(fixture)
            let reader = try await fixture.user("reader")
            #expect(try await fixture.index.refresh())
            #expect(try await !fixture.index.refresh(), "nothing has changed")
            try await fixture.graph.saves.save(yoga[0], by: reader)
            let first = try await fixture.recommendations.list(for: reader, limit: 8)
            #expect(first.prefix(2).allSatisfy { yoga.contains($0.post) && $0.post != yoga[0] })
            #expect(first[0].reasons.contains(RecommendationReason(.saved, post: yoga[0])))
            // The next act counts at once, although no model has been recalculated.
            try await fixture.graph.likes.like(food[0], by: reader)
            let second = try await fixture.recommendations.list(for: reader, limit: 3)
            #expect(second.contains { food.contains($0.post) })
            #expect(second.contains { $0.reasons.contains(RecommendationReason(.liked, post: food[0])) })
            try await fixture.graph.likes.unlike(food[0], by: reader)
            #expect(try await fixture.recommendations.list(for: reader, limit: 8) == first)
        }
    }

    @Test
    func `the same data give the same list, whoever works it out`() async throws {
        try await withRecommendations { fixture in
            let (yoga, _) = try await twoTastes(fixture)
            let reader = try await fixture.user("reader")
            for post in yoga[..<3] { try await fixture.graph.likes.like(post, by: reader) }
            let other = RecommendationFixture(fixture.discovery)
            try await fixture.index.refresh()
            try await other.index.refresh()
            let list = try await fixture.recommendations.list(for: reader, limit: 300)
            #expect(try await other.recommendations.list(for: reader, limit: 300) == list && list.count == 21)
        }
    }

    @Test
    func `what is seen, own or hidden is not recommended, and a hidden post is no reason`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            let own = try await fixture.post(by: "reader")
            var posts: [PostID] = []
            for _ in 0..<9 { posts.append(try await fixture.post(tags: ["run"])) }
            let graph = fixture.graph
            try await graph.likes.like(posts[0], by: reader)
            try await graph.saves.save(posts[1], by: reader)
            try await graph.reshares.reshare(posts[2], by: reader)
            _ = try await graph.comments.comment(on: posts[3], by: reader, content: "c")
            _ = try await graph.engagement.shareExternally(posts[4], by: reader, platform: "p")
            try await graph.watches.watch(posts[5], by: reader, seconds: 60, isCompleted: false)
            try await graph.watches.watch(posts[6], by: reader, seconds: 1, isCompleted: false)
            await fixture.hide([posts[7]])
            #expect(Set(try await fixture.list(reader)) == [posts[6], posts[8]])
            #expect(try await fixture.list(fixture.user("other")).contains(own))
            await fixture.hide(Set(posts.dropLast()))
            let reasons = try await fixture.recommendation(posts[8], for: reader).reasons
            #expect(reasons.allSatisfy { $0.post == nil }, "\(reasons)")
        }
    }

    @Test
    func `a watch counts by how much of it there was`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            let (short, long) = (try await fixture.post(tags: ["a"]), try await fixture.post(tags: ["b"]))
            let (like, unlike) = (try await fixture.post(tags: ["b"]), try await fixture.post(tags: ["a"]))
            try await fixture.graph.watches.watch(long, by: reader, seconds: 1, isCompleted: true)
            try await fixture.graph.watches.watch(short, by: reader, seconds: 2, isCompleted: false)
            let (more, less) = (
                try await fixture.recommendation(like, for: reader),
                try await fixture.recommendation(unlike, for: reader)
            )
            #expect(more.score > less.score && more.reasons.contains(RecommendationReason(.watched, post: long)))
        }
    }

    @Test
    func `followed authors and those of liked posts come first`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            let followed = try await fixture.post(by: "followed")
            _ = try await fixture.post(by: "stranger")
            try await fixture.graph.follows.follow(reader, fixture.user("followed"))
            let first = try await fixture.recommendations.list(for: reader, limit: 1)
            #expect(first.map(\.post) == [followed])
            #expect(first[0].reasons[0] == RecommendationReason(.follows, user: try await fixture.user("followed")))
        }
    }

    @Test
    func `of a narrow scope the list is not short though all that is new lies outside it`() async throws {
        try await withRecommendations { fixture in
            let author = try await fixture.user("author")
            var batch: [NewPost] = []
            for number in 0..<1_500 {
                let attributes: [String: AttributeValue] =
                    number < 30 ? ["cookingTime": .number(Double(number))] : [:]
                batch.append(
                    NewPost(author: author, caption: "c", mediaURL: "https://e.org/1", attributes: attributes))
            }
            let posts = try await fixture.graph.bulkPosts.publish(batch: batch)
            let reader = try await fixture.user("reader")
            let scope = RecommendationScope.carrying(anyOf: ["cuisineType", "cookingTime"])
            #expect(Set(try await fixture.list(reader, scope)) == Set(posts[..<30]))
            // Nearly all posts are hidden. The remaining one is far down.
            await fixture.hide(Set(posts[1...]))
            #expect(try await fixture.list(reader, scope) == [posts[0]])
            #expect(try await fixture.list(reader) == [posts[0]])
            #expect(try await fixture.list(reader, .carrying(anyOf: ["difficultyLevel"])) == [])
        }
    }

    @Test
    func `a list is not short though what comes first is seen`() async throws {
        try await withRecommendations { fixture in
            let (author, reader) = (try await fixture.user("author"), try await fixture.user("reader"))
            let count = DiscoveryLimits.recommendedPosts + 30
            let new = NewPost(author: author, caption: "c", mediaURL: "https://e.org/1")
            let posts = try await fixture.graph.bulkPosts.publish(batch: Array(repeating: new, count: count))
            for post in posts[10...] { try await fixture.discovery.like(post, by: reader) }
            #expect(Set(try await fixture.list(reader)) == Set(posts[..<10]))
        }
    }
}
