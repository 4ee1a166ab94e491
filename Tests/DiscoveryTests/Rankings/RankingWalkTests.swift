import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Walks through rankings during engagement, hiding and showing of posts, and refreshes.
@Suite(.timeLimit(.model))
struct RankingWalkTests {
    @Test(arguments: [1, 20_261_121, 0xFEED, 99] as [UInt64])
    func `nothing repeats and nothing is skipped while ranks move`(seed: UInt64) async throws {
        try await withDiscovery { fixture in
            var random = SplitMix64(seed: seed)
            let posts = try await fixture.posts(60)
            for post in posts { try await fixture.engage(post, likes: .random(in: 1...50, using: &random)) }
            for _ in 0..<6 {
                var walk = Walk()
                var hidden = Set(posts.filter { _ in Bool.random(using: &random) })
                var alwaysShown = Set(posts).subtracting(hidden)
                repeat {
                    let limit = Int.random(in: 1...9, using: &random)
                    let concealed = hidden
                    let page = try #require(
                        try await fixture.rankings.page(of: .trending(.day), cursor: walk.cursor, limit: limit) { ids in
                            ids.map { concealed.contains($0) ? nil : $0 }
                        })
                    walk.append(page, limit: limit, hidden: concealed)
                    // Engagement and visibility change between two pages.
                    for _ in 0..<20 {
                        let post = try #require(posts.randomElement(using: &random))
                        try await fixture.engage(post, likes: .random(in: 1...100, using: &random))
                        if hidden.remove(post) == nil { hidden.insert(post) }
                    }
                    alwaysShown.subtract(hidden)
                    fixture.clock.advance(by: .random(in: 0...70_000, using: &random))
                } while walk.cursor != nil && walk.faults.isEmpty
                #expect(walk.faults == [], "seed \(seed)")
                let order = try #require(walk.ranking)
                let whole = try await fixture.rankings.ranking(order).posts
                #expect(walk.items == whole.filter(Set(walk.items).contains), "in the ranking's order")
                #expect(alwaysShown.intersection(whole).isSubset(of: walk.items), "nothing is skipped")
                await fixture.rankings.waitForRefresh()
            }
        }
    }

    private struct Walk {
        var items: [PostID] = []
        var cursor: RankingCursor?
        var ranking: Int64?
        var faults: [String] = []

        mutating func append(_ page: RankedPage<PostID>, limit: Int, hidden: Set<PostID>) {
            if !Set(items).isDisjoint(with: page.items) { faults.append("repeated") }
            if page.items.contains(where: hidden.contains) { faults.append("hidden") }
            if page.items.count > limit || page.next != nil && page.items.count < limit { faults.append("size") }
            if let next = page.next {
                if let ranking, ranking != next.ranking { faults.append("another ranking") }
                ranking = next.ranking
            }
            items += page.items
            cursor = page.next
        }
    }

    @Test(arguments: [0, 1, 7, 1_000], [1, 3, 100])
    func `a page is filled whatever is hidden`(shownEvery: Int, limit: Int) async throws {
        let posts = (1...2_000 as ClosedRange<Int64>).map(PostID.init(rawValue:))
        let ranking = Ranking(id: 9, name: "n", createdAt: 0, posts: posts)
        let shown = posts.filter { shownEvery > 0 && $0.rawValue.isMultiple(of: Int64(shownEvery)) }
        let isShown = Set(shown)
        var found: [PostID] = []
        var place: Int? = 0
        while let offset = place {
            let page = try await ranking.page(from: offset, limit: limit) { ids in
                #expect(ids.count <= Ranking.candidatesAtOnce)
                return ids.map { isShown.contains($0) ? $0 : nil }
            }
            #expect(page.next == nil || page.items.count == limit)
            found += page.items
            place = page.next?.offset
            try #require(place ?? .max > offset, "a walk must come forward")
        }
        #expect(found == shown)
    }
}
