import TestSupport
import Testing

@testable import Discovery
@testable import evaluations

@Suite(.timeLimit(.unit))
struct LeaveLastOutTests {
    /// Ratings of users 1 to `users`, who all rate the items 1 to 4 well in turn, each a year later, and 9 badly in
    /// between.
    private static func ratings(users: Int64 = 3) -> [Rating] {
        (1...users).flatMap { user in
            (1...4 as ClosedRange<Int64>).map { Rating(user: user, item: $0, value: 5, time: user * 100 + $0) }
                + [Rating(user: user, item: 9, value: 1, time: user * 100 + 2)]
        }
    }

    @Test
    func `the latest is held out, or the one before it, and what comes after is not known`() {
        let test = LeaveLastOut(Self.ratings(), holding: .test, positive: 4, seed: 1)
        #expect(test.users == 3 && test.items == 5 && test.positives == 9)
        // Only the held-out item remains: 1 to 3 are known, and 9 was rated badly before.
        #expect(test.popularityQuality().places == [1, 1, 1])
        let validation = LeaveLastOut(Self.ratings(), holding: .validation, positive: 4, seed: 1)
        #expect(validation.positives == 6)
        // No likes of 3 or 4 are known by then, so the smaller id comes first.
        #expect(validation.popularityQuality().places == [1, 1, 1])
        // The held-out items 4 and 23 and item 9, which nobody rates well, are equally popular.
        let more = Self.ratings() + (1...3).map { Rating(user: 7, item: 20 + $0, value: 5, time: $0) }
        #expect(LeaveLastOut(more, holding: .test, positive: 4, seed: 1).popularityQuality().places == [3, 3, 3, 6])
    }

    @Test
    func `users with fewer than three good ratings are left out`() {
        let few = [1, 2].map { Rating(user: 1, item: $0, value: 5, time: $0) }
        let data = LeaveLastOut(few, holding: .test, positive: 4, seed: 1)
        #expect(data.users == 0 && data.popularityQuality().hitRate == 0)
        #expect(LeaveLastOut(Self.ratings(), holding: .test, positive: 5.5, seed: 1).users == 0)
    }

    @Test
    func `a held-out item that goes with the history is found where popularity has others`() {
        // Two tastes, and items that everybody likes.
        var ratings: [Rating] = []
        for user in 1...40 as ClosedRange<Int64> {
            let taste = user % 2 * 100
            for step in 0..<6 as Range<Int64> {
                ratings.append(Rating(user: user, item: taste + (user + step) % 7, value: 5, time: step))
            }
            ratings.append(Rating(user: user, item: 1_000 + user % 30, value: 5, time: -1))
        }
        let data = LeaveLastOut(ratings, holding: .test, positive: 4, seed: 1)
        let (own, popularity) = (data.quality(of: .tuned), data.popularityQuality())
        #expect(own.places.allSatisfy { $0 == 1 })
        #expect(popularity.ndcg < 0.9 && own.ndcg == 1 && own.hitRate == 1)
        let lead = own.lead(over: popularity)
        #expect(lead.difference > 0.1 && lead.error > 0 && lead.error < lead.difference)
    }

    @Test
    func `of ratings of one second the seed decides, the same each time`() {
        var ratings = Self.ratings(users: 30)
        ratings = ratings.map { Rating(user: $0.user, item: $0.item, value: $0.value, time: 1) }
        func places(_ seed: UInt64, _ ratings: [Rating]) -> [Int] {
            LeaveLastOut(ratings, holding: .validation, positive: 4, seed: seed).popularityQuality().places
        }
        #expect(places(1, ratings) == places(1, ratings.reversed()))
        #expect(Set((1...20).map { places($0, ratings) }).count > 1)
    }

    @Test
    func `gain and hits end after the tenth place`() {
        #expect(RecommendationQuality(places: [1]).ndcg == 1)
        #expect(RecommendationQuality(places: [3]).ndcg == 0.5)
        #expect(RecommendationQuality(places: [11]).ndcg == 0 && RecommendationQuality(places: [11]).hitRate == 0)
        #expect(RecommendationQuality(places: [10, 11]).hitRate == 0.5)
        #expect(RecommendationQuality(places: []).hitRate == 0)
    }
}
