import Database
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

/// Ownership and lifetime of stored embeddings.
@Suite(.timeLimit(.unit))
struct StoredEmbeddingTests {
    private func embedding(_ vector: [Double]) throws -> Embedding { try #require(Embedding(directionOf: vector)) }

    @Test func `authors of a post may, others may not`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob, cat) = (
                try await fixture.user("ann"), try await fixture.user("bob"), try await fixture.user("cat")
            )
            let post = try await fixture.post(ann, with: [bob, cat])
            let (first, second) = (try embedding([1, 2]), try embedding([2, 1]))
            try await graph.embeddings.setEmbeddingDimension(2)
            try await graph.embeddings.storeEmbedding(first, of: post, by: ann)
            for user in [bob, cat] {
                // Both are invited and have not accepted.
                await #expect(throws: GraphError.notAuthor) {
                    try await graph.embeddings.storeEmbedding(second, of: post, by: user)
                }
                await #expect(throws: GraphError.notAuthor) {
                    try await graph.embeddings.deleteEmbedding(of: post, by: user)
                }
                await #expect(throws: GraphError.notAuthor) {
                    try await graph.embeddings.embedding(of: post, for: user)
                }
            }
            try await graph.collaborations.acceptCollaboration(on: post, by: bob)
            #expect(try await graph.embeddings.embedding(of: post, for: bob) == first)
            try await graph.embeddings.storeEmbedding(second, of: post, by: bob)
            #expect(try await graph.embeddings.embedding(of: post, for: ann) == second)
            for _ in 0..<2 { try await graph.embeddings.deleteEmbedding(of: post, by: ann) }
            await #expect(throws: GraphError.embeddingNotFound) {
                try await graph.embeddings.embedding(of: post, for: ann)
            }
            await #expect(throws: GraphError.postNotFound) {
                try await graph.embeddings.storeEmbedding(first, of: PostID(rawValue: 1), by: ann)
            }
        }
    }

    @Test func `an operator alone fixes the dimension, and a batch is stored whole or not at all`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let posts = [try await fixture.post(ann), try await fixture.post(ann)]
            #expect(try await graph.embeddings.embeddingDimension() == nil)
            let (short, long) = (try embedding([1, 2]), try embedding([1, 2, 3]))
            for embedding in [short, long] {
                await #expect(throws: GraphError.embeddingDimensionUnset) {
                    try await graph.embeddings.storeEmbedding(embedding, of: posts[0], by: ann)
                }
            }
            #expect(try await graph.embeddings.embeddingDimension() == nil)
            try await graph.embeddings.setEmbeddingDimension(2)
            await #expect(throws: GraphError.dimensionMismatch(expected: 2, given: 3)) {
                try await graph.embeddings.storeEmbeddings(
                    [.init(post: posts[1], embedding: short), .init(post: posts[0], embedding: long)], by: ann)
            }
            #expect(try await graph.embeddings.embeddings(above: PostID(rawValue: 0), limit: 10) == [])
            try await graph.embeddings.storeEmbedding(short, of: posts[0], by: ann)
            #expect(try await graph.embeddings.embeddingDimension() == 2)
            await #expect(throws: GraphError.dimensionMismatch(expected: 2, given: 3)) {
                try await graph.embeddings.storeEmbedding(long, of: posts[1], by: ann)
            }
            await #expect(throws: GraphError.dimensionMismatch(expected: 2, given: 3)) {
                try await graph.embeddings.setEmbeddingDimension(3)
            }
            try await graph.embeddings.setEmbeddingDimension(2)
            try await graph.embeddings.deleteEmbedding(of: posts[0], by: ann)
            // Vectors of another dimension are refused.
            try await graph.embeddings.setEmbeddingDimension(3)
            try await graph.embeddings.storeEmbedding(long, of: posts[1], by: ann)
        }
    }

    @Test func `clearing removes all and forgets the dimension`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            try await graph.embeddings.setEmbeddingDimension(2)
            for _ in 0..<5 {
                try await graph.embeddings.storeEmbedding(
                    try embedding([1, 2]), of: try await fixture.post(ann), by: ann)
            }
            #expect(try await graph.database.write { try EmbeddingStore.Writer($0).clearSomeEmbeddings(limit: 3) } == 3)
            #expect(try await graph.embeddings.embeddingDimension() == 2)
            #expect(try await graph.database.write { try EmbeddingStore.Writer($0).clearSomeEmbeddings(limit: 3) } == 2)
            #expect(try await graph.embeddings.embeddingDimension() == nil)
            #expect(try await graph.embeddings.embeddings(above: PostID(rawValue: 0), limit: 10) == [])
        }
    }

    @Test func `an embedding goes with its post, and with its author`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let posts = [try await fixture.post(ann), try await fixture.post(ann), try await fixture.post(bob)]
            try await graph.embeddings.setEmbeddingDimension(2)
            for (post, author) in zip(posts, [ann, ann, bob]) {
                try await graph.embeddings.storeEmbedding(try embedding([1, 2]), of: post, by: author)
            }
            try await graph.posts.deletePost(posts[0], by: ann)
            #expect(try await graph.embeddings.embedding(of: posts[0]) == nil)
            try await graph.erasures.deleteAccount(ann)
            while try await graph.erasures.eraseSome(of: ann) == .removed {}
            #expect(
                try await graph.embeddings.embeddings(above: PostID(rawValue: 0), limit: 10).map(\.post) == [posts[2]])
        }
    }

    @Test func `pages of one's own, and of all, are whole`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            try await graph.embeddings.setEmbeddingDimension(2)
            var own: [PostEmbedding] = []
            for number in 0..<7 {
                let post = try await fixture.post(number % 3 == 2 ? bob : ann)
                guard number != 4 else { continue }
                let embedding = try embedding([1, Double(number)])
                try await graph.embeddings.storeEmbedding(embedding, of: post, by: number % 3 == 2 ? bob : ann)
                if number % 3 != 2 { own.append(PostEmbedding(post: post, embedding: embedding)) }
            }
            var (found, cursor): ([PostEmbedding], Int64?) = ([], nil)
            repeat {
                let page = try await graph.embeddings.ownEmbeddings(of: ann, below: cursor, limit: 2)
                found += page.items
                cursor = page.next
            } while cursor != nil
            #expect(found == own.reversed())
            let all = try await graph.embeddings.embeddings(above: PostID(rawValue: 0), limit: 10)
            #expect(all.count == 6 && all.map(\.post) == all.map(\.post).sorted())
            #expect(try await graph.embeddings.embeddings(above: all[3].post, limit: 10) == Array(all[4...]))
        }
    }
}
