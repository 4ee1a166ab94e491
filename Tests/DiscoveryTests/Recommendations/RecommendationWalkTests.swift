import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Pages of a list of recommendations.
@Suite(.timeLimit(.unit))
struct RecommendationWalkTests {
    private func page(
        _ fixture: RecommendationFixture, _ user: UserID, _ cursor: RankingCursor?, _ limit: Int,
        scope: RecommendationScope = .everything, hidden: Set<PostID> = []
    ) async throws -> RankedPage<RecommendedItem<PostID>>? {
        try await fixture.recommendations.page(for: user, scope: scope, cursor: cursor, limit: limit) { posts in
            posts.map { hidden.contains($0) ? nil : $0 }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `on a walk nothing stands twice and scores descend, while posts come, go and are seen`(
        seed: UInt64
    ) async throws {
        try await withRecommendations { fixture in
            var random = SplitMix64(seed: seed)
            let reader = try await fixture.user("reader")
            for number in 0..<60 {
                _ = try await fixture.post(
                    by: "author\(number % 9)", category: "c\(number % 4)", tags: ["t\(number % 7)"])
            }
            let promised = try await fixture.list(reader, limit: 300)
            var (walked, scores, hidden, gone): ([PostID], [Double], Set<PostID>, Set<PostID>) = ([], [], [], [])
            var cursor: RankingCursor?
            repeat {
                let limit = Int.random(in: 1...9, using: &random)
                let page = try #require(try await page(fixture, reader, cursor, limit, hidden: hidden))
                #expect(page.next == nil || page.items.count == limit)
                walked += page.items.map(\.item)
                scores += page.items.map(\.recommendation.score)
                cursor = page.next
                _ = try await fixture.post(by: "author\(Int.random(in: 0..<9, using: &random))")
                let seen = try #require(promised.randomElement(using: &random))
                if Bool.random(using: &random) {
                    try await fixture.graph.likes.like(seen, by: reader)
                } else {
                    hidden.insert(seen)
                }
                gone.insert(seen)
            } while cursor != nil
            #expect(Set(walked).count == walked.count)
            #expect(walked.filter { !gone.contains($0) } == promised.filter { !gone.contains($0) })
            #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 >= $1 })
        }
    }

    @Test
    func `a cursor works after a restart, for its user and scope alone, and not for ever`() async throws {
        try await withRecommendations { fixture in
            let (reader, other) = (try await fixture.user("reader"), try await fixture.user("other"))
            for number in 0..<6 { _ = try await fixture.post(by: "author\(number)", ["duration": .number(3)]) }
            let whole = try await fixture.recommendations.list(for: reader, limit: 9)
            let cursor = try #require(try await page(fixture, reader, nil, 2)?.next)
            let again = RecommendationFixture(fixture.discovery)
            for fixture in [fixture, again] {
                let next = try #require(try await page(fixture, reader, cursor, 9))
                #expect(next.items.map(\.recommendation) == Array(whole[2...]) && next.next == nil)
            }
            #expect(try await page(fixture, other, cursor, 2) == nil)
            #expect(try await page(fixture, reader, cursor, 2, scope: .carrying(anyOf: ["duration"])) == nil)
            #expect(try await page(fixture, reader, RankingCursor(ranking: cursor.ranking, offset: 7), 2) == nil)
            await #expect(throws: GraphError.rankingExpired) {
                _ = try await page(fixture, reader, RankingCursor(ranking: 5, offset: 1), 2)
            }
            fixture.discovery.clock.advance(by: DiscoveryLimits.rankingRetention + 1)
            await #expect(throws: GraphError.rankingExpired) { _ = try await page(fixture, reader, cursor, 2) }
        }
    }

    @Test
    func `a list is made anew when its user has done something, or it has grown old, and else is kept`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            for number in 0..<6 { _ = try await fixture.post(by: "author\(number)") }
            func cursor() async throws -> Int64? { try await page(fixture, reader, nil, 2)?.next?.ranking }
            let first = try await cursor()
            let new = try await fixture.post(by: "author")
            #expect(try await cursor() == first)
            #expect(try await !fixture.list(reader).contains(new))
            fixture.discovery.clock.advance(by: DiscoveryLimits.recommendationFreshness)
            #expect(try await fixture.list(reader).contains(new))
            let second = try await cursor()
            #expect(second != first)
            try await fixture.prefer(["skillLevel": .text("beginner")], reader)
            #expect(try await cursor() != second)
            // A list that fits on one page is not stored.
            let count = try await fixture.discovery.database.read {
                try $0.rows("SELECT COUNT(*) FROM recommendation_list", []) { $0.integer(0) }
            }
            _ = try await page(fixture, try await fixture.user("other"), nil, 50)
            #expect(
                try await fixture.discovery.database.read {
                    try $0.rows("SELECT COUNT(*) FROM recommendation_list", []) { $0.integer(0) }
                } == count)
        }
    }
}
