import Database
import Importing
import TestSupport
import Testing
import Text

@testable import Discovery
@testable import SocialGraph

/// Feeds of posts by conditions: their results, and the number of rows they examine.
@Suite(.timeLimit(.unit))
struct BoundedLookTests {
    @Test(arguments: ["1", "x", "true", "5..6"])
    func `what nothing matches costs the same, whatever there is`(text: String) async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("ann")
            let wanted = FeedConditions(topics: [], attributes: [AttributeCondition(name: "x", text: text)])
            var costs: [Int] = []
            for _ in 0..<3 {
                try await fixture.publish(100, by: author) { ["x": [.number(7), .text("y"), .flag(false)][$0 % 3]] }
                let slice = try await fixture.graph.feeds.slice(of: wanted, below: .end, limit: 5, budget: 20_000)
                #expect(slice == .nothing)
                costs.append(slice.examined)
            }
            #expect(Set(costs).count == 1 && costs[0] < 10, "\(costs)")
        }
    }

    @Test
    func `conditions of which each matches much, and all nothing, cost as many rows as the budget has`() async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("ann")
            // Neighbouring posts differ, so that neither condition skips far.
            try await fixture.publish(1_200, by: author) {
                ["x": .number(Double($0 % 2)), "y": .number(Double($0 % 2))]
            }
            let wanted = FeedConditions(
                topics: [],
                attributes: [AttributeCondition(name: "x", text: "0"), AttributeCondition(name: "y", text: "1")])
            let slice = try await fixture.graph.feeds.slice(of: wanted, below: .end, limit: 5, budget: 300)
            #expect(slice.entries.isEmpty && slice.end != .beginning && slice.end != .end)
            #expect(slice.examined >= 300 && slice.examined < 300 + 2 * 1_024)
        }
    }

    @Test(arguments: 1...8)
    func `looks with any budget, one below the other, find what a look at every post finds`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: seed)
            let author = try await fixture.user("ann")
            var numbers: [Double] = []
            for _ in 0..<1_500 { numbers.append(Double(Int.random(in: 0...9, using: &random))) }
            let posts = try await fixture.publish(numbers.count, by: author) { number in
                ["x": .number(numbers[number]), "y": number % 3 == 0 ? .text("even") : .flag(true)]
            }
            for (text, other) in [
                ("0..8", "even"), ("3", "true"), ("9..9.5", "even"), ("10..", "even"), ("..8", "odd"),
            ] {
                let conditions = [
                    AttributeCondition(name: "x", text: text), AttributeCondition(name: "y", text: other),
                ]
                let expected = zip(posts, numbers.indices).filter { _, number in
                    conditions[0].range?.contains(numbers[number]) == true
                        && other == (number % 3 == 0 ? "even" : "true")
                }.map(\.0).reversed()
                let wanted = FeedConditions(topics: [], attributes: conditions)
                let budget = Int.random(in: 60...3_000, using: &random)
                var found: [PostID] = []
                var place = FeedPosition.end
                while place != .beginning {
                    let slice = try await fixture.graph.feeds.slice(of: wanted, below: place, limit: 40, budget: budget)
                    found += slice.entries.map(\.post)
                    #expect(slice.end < place, "each look gets further")
                    place = slice.end
                    #expect(slice.examined < budget + 4 * 1_024 + 2 * PostConditions.postsOfRange)
                }
                #expect(found == Array(expected), "\(text) \(other) \(budget)")
            }
        }
    }

    @Test
    func `search goes on where the budget ended, by words and times as well`() async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("ann")
            let posts = try await fixture.publish(300, by: author) { ["x": .number(Double($0 % 2))] }
            var filter = PostFilter(attributes: [AttributeCondition(name: "x", text: "1")], since: 0)
            filter.until = .max
            var found: [PostID] = []
            var place: PostID?
            repeat {
                let slice = try await fixture.graph.search.newestPosts(
                    having: SearchWords("caption"), filter, below: place, limit: 7, budget: 100)
                found += slice.posts
                place = slice.end
            } while place != nil
            #expect(found == posts.indices.filter { $0 % 2 == 1 }.map { posts[$0] }.reversed())
        }
    }

    @Test
    func `words near another are found in the index with few look-ups, the same as one by one`() async throws {
        try await withGraph { fixture in
            let author = try await fixture.user("bob")
            let stored = ["recipe", "recite", "recipes", "precipe", "rcipe", "lecture", "zebra"]
            for word in stored { try await fixture.post(author, word) }
            for number in 0..<200 { try await fixture.post(author, "filler\(number)") }
            let near = ["recipe", "recipt", "rcipe", "bob", "aaaa", "zzzz"] + (0..<300).map { "recip\($0)" }
            let known = try await fixture.graph.search.knownWords(among: near, limit: 2_000)
            #expect(Set(known.words) == ["recipe", "rcipe", "bob"])
            // SQLite passes over those in between; PostgreSQL looks up each word in each of the two indexes.
            #expect(known.lookUps <= (fixture.engine == .sqlite ? 39 : 2 * near.count))
            let few = try await fixture.graph.search.knownWords(among: near, limit: 3)
            #expect(few.lookUps <= 4 && Set(few.words).isSubset(of: Set(known.words)))
        }
    }
}

extension GraphFixture {
    /// Publishes posts in one batch, oldest first.
    @discardableResult
    fileprivate func publish(
        _ count: Int, by author: UserID, attributes: (Int) -> [String: AttributeValue]
    ) async throws -> [PostID] {
        let posts = (0..<count).map { number in
            var post = NewPost.sample(author)
            post.attributes = attributes(number)
            return post
        }
        return try await graph.bulkPosts.publish(batch: posts)
    }
}
