import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Searches return the same posts as a comparison with every stored vector, after any writes.
@Suite(.timeLimit(.unit))
struct SimilarPostsTests {
    @Test(arguments: [(200, UInt64(1)), (130, 2), (24, 3)])
    func `any history of acts is found as it is`(dimension: Int, seed: UInt64) async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: dimension, seed: seed)
            try await history.index.load()
            try await history.publish(60)
            for step in 0..<120 {
                try await history.act()
                let query = history.query()
                let limit = 1 + history.number(below: 12)
                let found = try await history.similar.nearest(.init(embedding: query), after: nil, limit: limit)
                #expect(found == Array(history.truth(query).prefix(limit)), "step \(step)")
                #expect(history.index.count == history.stored.count)
            }
            let query = history.query()
            let all = history.truth(query).map(\.post)
            #expect(try await history.similar.walk(.init(embedding: query), limit: 7) == all)
            #expect(try await history.restarted().walk(.init(embedding: query), limit: 7) == all)
        }
    }

    @Test func `over several segments too, and before there is an index`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 130, seed: 9)
            try await history.publish(2 * VectorSegment.rows + 100)
            let query = history.query()
            let truth = history.truth(query)
            let before = try await history.similar.nearest(.init(embedding: query), after: nil, limit: 30)
            #expect(!history.index.isReady && before == Array(truth.prefix(30)))
            try await history.index.load()
            let after = try await history.similar.nearest(.init(embedding: query), after: nil, limit: 30)
            #expect(history.index.isReady && after == before)
            let place = SimilarCursor(last: truth[999])
            let deep = try await history.similar.nearest(.init(embedding: query), after: place, limit: 30)
            #expect(deep == Array(truth[1_000..<1_030]))
            let candidates = try await history.index.candidates(near: query, count: 10, ceiling: nil, among: nil)
            // Most vectors are skipped.
            #expect(try #require(candidates).posts.count < 200)
        }
    }

    @Test func `what is not shown leaves no gap on a page`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 4)
            try await history.index.load()
            try await history.publish(300)
            let query = history.query()
            let posts = history.stored.keys.sorted()
            for share in [1, 2, 10, 150] {
                let shown = Set(stride(from: 0, to: posts.count, by: share).map { posts[$0] })
                let truth = history.truth(query, where: shown.contains).map(\.post)
                #expect(truth.count == 300 / share)
                for limit in [1, 5, 100] {
                    let found = try await history.similar.walk(
                        .init(embedding: query), limit: limit, where: shown.contains)
                    #expect(found == truth, "one in \(share), \(limit) a page")
                }
            }
        }
    }

    @Test func `a filter with few posts is looked at by itself, and finds the same`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 5)
            try await history.index.load()
            try await history.publish(200)
            let rare = try await fixture.posts(5, tags: ["rare"])
            for post in rare {
                try await fixture.graph.embeddings.storeEmbedding(history.query(), of: post, by: history.author)
            }
            let topic = try #require(try await fixture.graph.topics.topics(.tag, named: ["rare"])[0])
            let question = SimilarPosts.Question(
                embedding: history.query(), conditions: FeedConditions(topics: [[topic]], attributes: []))
            var looked = 0
            let page = try await history.similar.page(of: question, after: nil, limit: 10) { posts in
                looked += posts.count
                return posts.map { rare.contains($0) ? $0 : nil }
            }
            #expect(Set(page.entries.map(\.item)) == Set(rare) && page.next == nil && looked == 5)
            #expect(page.entries.map(\.similarity) == page.entries.map(\.similarity).sorted(by: >))
        }
    }

    @Test func `candidates of a set are the nearest of that set`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 200, seed: 6)
            try await history.index.load()
            try await history.publish(400)
            let query = history.query()
            let wanted = Set(history.stored.keys.filter { $0.rawValue.isMultiple(of: 3) })
            let candidates = try #require(
                try await history.index.candidates(near: query, count: 8, ceiling: nil, among: wanted))
            let truth = history.truth(query, where: wanted.contains).prefix(8).map(\.post)
            #expect(Set(candidates.posts).isSuperset(of: truth) && wanted.isSuperset(of: candidates.posts))
        }
    }

    @Test func `the post itself is left out of its neighbours`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 7)
            try await history.index.load()
            try await history.publish(30)
            let (post, embedding) = try #require(history.stored.first)
            let neighbours = try await history.similar.neighbours(of: post, limit: 100)
            #expect(neighbours == history.truth(embedding) { $0 != post })
            let bare = try await fixture.post()
            await #expect(throws: GraphError.embeddingNotFound) {
                try await history.similar.neighbours(of: bare, limit: 1)
            }
        }
    }

    @Test func `another dimension is refused, and nothing is near where nothing is stored`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 8)
            let query = history.query()
            let post = try await fixture.post()
            try await history.index.load()
            #expect(try await history.similar.walk(.init(embedding: query), limit: 5) == [])
            let other = try #require(Embedding(directionOf: [1, 2, 3]))
            try await fixture.graph.embeddings.setEmbeddingDimension(3)
            try await fixture.graph.embeddings.storeEmbedding(other, of: post, by: history.author)
            await #expect(throws: GraphError.dimensionMismatch(expected: 3, given: 24)) {
                try await history.similar.walk(.init(embedding: query), limit: 5)
            }
            #expect(try await history.similar.walk(.init(embedding: other), limit: 5) == [post])
        }
    }
}
