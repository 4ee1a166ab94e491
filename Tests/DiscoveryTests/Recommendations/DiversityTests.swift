import Database
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct DiversityTests {
    private static let now: Int64 = IDSequence.epoch + 400 * Milliseconds.day

    private static func scored(
        _ number: Int64, author: Int64, category: Int64? = nil, score: Double, days: Int64 = 0, likes: Int64 = 0
    ) -> RecommendationScore.Scored {
        RecommendationScore.Scored(
            post: RecommendablePost(
                id: PostID(rawValue: IDSequence.first(at: now - days * Milliseconds.day - 10_000) + number),
                authors: [UserID(rawValue: author)], topics: [], category: category.map(TopicID.init(rawValue:)),
                attributes: [:], people: EngagementCounts(likes: likes, comments: 0, shares: 0)),
            score: score, agreement: 0)
    }

    @Test
    func `an author who is best in everything does not fill the list`() {
        var all = (0..<30).map { Self.scored($0, author: 1, score: 0.9 - Double($0) / 1_000) }
        all += (30..<60).map { Self.scored($0, author: $0, score: 0.5) }
        let list = Diversity.ordered(all, count: 20)
        #expect(list[0].post.authors == [UserID(rawValue: 1)])
        #expect(list.prefix(10).count { $0.post.authors == [UserID(rawValue: 1)] } <= 3)
        // The author still has more of the list than others.
        #expect(list.count { $0.post.authors == [UserID(rawValue: 1)] } >= 2)
    }

    @Test
    func `a category gives way to others that are nearly as good`() {
        let all = (0..<20).map { Self.scored($0, author: $0, category: $0 < 10 ? 1 : 2, score: $0 < 10 ? 0.6 : 0.55) }
        let categories = Diversity.ordered(all, count: 10).map { $0.post.category?.rawValue }
        #expect(categories.count { $0 == 1 } < 8 && categories.count { $0 == 2 } > 2)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `scores descend, none grows, and the greedy choice is the best at each place`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let all = (0..<Int64.random(in: 0...120, using: &random)).map { number in
            Self.scored(
                number, author: .random(in: 0..<7, using: &random), category: .random(in: 0..<3, using: &random),
                score: Double(Int.random(in: 0...20, using: &random)) / 20)
        }
        let list = Diversity.ordered(all, count: 50)
        #expect(list.count == min(50, all.count) && Set(list.map(\.post.id)).count == list.count)
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.score >= $1.score })
        let before = Dictionary(uniqueKeysWithValues: all.map { ($0.post.id, $0.score) })
        #expect(list.allSatisfy { $0.score <= before[$0.post.id] ?? 0 && $0.score >= 0 })
        // A longer list begins with the shorter one, whatever the order of the candidates.
        #expect(
            Diversity.ordered(all.shuffled(using: &random), count: 20).map(\.post.id) == list.prefix(20).map(\.post.id))
        let plain = Self.greedy(all, count: 50)
        #expect(list.map(\.post.id) == plain)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `ties go to the newer post, however many there are`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let all = (0..<100 as Range<Int64>).map { number in
            Self.scored(
                number, author: .random(in: 0..<3, using: &random), category: .random(in: 0..<2, using: &random),
                score: Double(Int.random(in: 0...2, using: &random)) / 2)
        }.shuffled(using: &random)
        #expect(Diversity.ordered(all, count: 100).map(\.post.id) == Self.greedy(all, count: 100))
    }

    /// All are revalued for each of the first places, until the floor is reached. Each insertion into an array would
    /// move all others.
    @Test func `as many posts of one author as may be candidates are ordered`() {
        let all = (0..<Int64(CandidateSearch.candidatesLookedAt)).map { Self.scored($0, author: 1, score: 0.5) }
        let list = Diversity.ordered(all, count: 300)
        #expect(list.map(\.post.id) == all.reversed().prefix(300).map(\.post.id))
        #expect(list[0].score == 0.5 && list[1].score == 0.3125 && list[299].score == 0.125)
    }

    /// The same rule, with a search of all remaining candidates for each place.
    private static func greedy(_ all: [RecommendationScore.Scored], count: Int) -> [PostID] {
        var left = all
        var chosen: [RecommendationScore.Scored] = []
        func worth(_ item: RecommendationScore.Scored) -> Double {
            let author = chosen.count { $0.post.authors == item.post.authors }
            let category = chosen.count { $0.post.category == item.post.category }
            func share(_ decay: Double, _ floor: Double, _ times: Int) -> Double {
                (1 - floor) * (0..<times).reduce(1.0) { share, _ in share * decay } + floor
            }
            return item.score * (share(0.5, 0.25, author) * share(0.9, 0.6, category))
        }
        while chosen.count < count,
            let best = left.max(by: { (worth($0), $0.post.id) < (worth($1), $1.post.id) })
        {
            left.removeAll { $0.post.id == best.post.id }
            chosen.append(best)
        }
        return chosen.map(\.post.id)
    }

    @Test
    func `every tenth place goes to a post that nobody knows yet, another one for another user`() {
        let known = (0..<40).map { Self.scored($0, author: $0, score: 0.9 - Double($0) / 100, likes: 9) }
        let fresh = (40..<80).map { Self.scored($0, author: $0, score: 0.1) }
        let old = (80..<90).map { Self.scored($0, author: $0, score: 0.1, days: 30) }
        let all = known + fresh + old
        func filled(_ user: Int64) -> [RecommendationScore.Scored] {
            let ordered = Diversity.ordered(all, count: 90)
            return Exploration.filled(ordered, from: all, for: UserID(rawValue: user), now: Self.now)
        }
        let list = filled(1)
        #expect(Set(list.map(\.post.id)) == Set(all.map(\.post.id)) && list.count == all.count)
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.score >= $1.score })
        let unknown = Set(fresh.map(\.post.id))
        for place in 1...44 {
            #expect(unknown.contains(list[place - 1].post.id) == place.isMultiple(of: 10), "place \(place)")
        }
        #expect(filled(1).map(\.post.id) == list.map(\.post.id))
        let tenths = (1...40).map { filled($0)[9].post.id }
        #expect(Set(tenths).count > 10)
    }

    @Test
    func `a list comes back from its bytes, and other bytes are refused`() throws {
        let list = RecommendationReason.Kind.allCases.enumerated().map { number, kind in
            Recommendation(
                post: PostID(rawValue: Int64(number) + 1 << 50), score: Double(number) / 12.345,
                reasons: [
                    RecommendationReason(kind, value: "skillLevel"),
                    RecommendationReason(kind, post: PostID(rawValue: 1), user: UserID(rawValue: 1 << 52)),
                ])
        }
        let bytes = RecommendationCoding.bytes(of: list)
        #expect(try RecommendationCoding.list(in: bytes) == list)
        #expect(try RecommendationCoding.list(in: []) == [])
        for count in 1..<RecommendationCoding.bytes(of: [list[0]]).count {
            #expect(throws: DatabaseError.self) { try RecommendationCoding.list(in: Array(bytes.prefix(count))) }
        }
    }
}
