import Discovery
import Importing
import SocialGraph

/// The share of the nearest posts that a search finds, and its time, beside a comparison with every vector, over
/// ``SyntheticVectors`` in a graph of their own.
struct SimilarRecall {
    struct Outcome: Sendable {
        /// The share of the true nearest posts that were found.
        let recall: Double
        /// Time for reading all vectors into the index.
        let loading: Duration
        /// Times of the queries, shortest first: with the index, and over all vectors in memory.
        let searches: [Duration]
        let comparisons: [Duration]
    }

    /// Number of posts, or embeddings, in one transaction.
    private static let batch = 5_000

    let vectors: Int
    let dimension: Int
    let clusters: Int
    let seed: UInt64

    init(vectors: Int, dimension: Int, clusters: Int, seed: UInt64) {
        self.vectors = vectors
        self.dimension = dimension
        self.clusters = clusters
        self.seed = seed
    }

    /// Fills `graph`, which must be empty, and searches `queries` times for the `count` nearest of another vector of
    /// the same mixture. Both ways are measured in turn, so that other load on the machine affects both.
    func run(on graph: GraphStore, queries: Int, count: Int) async throws -> Outcome {
        var source = SyntheticVectors(dimension: dimension, clusters: clusters, seed: seed)
        let stored = try await fill(graph, from: &source)
        let all = VectorMatrix(stored)
        let index = SimilarIndex(graph: graph)
        let clock = ContinuousClock()
        let loading = try await clock.measure { try await index.load() }
        let similar = SimilarPosts(graph: graph, index: index)
        var (searches, comparisons): ([Duration], [Duration]) = ([], [])
        var hits = 0
        for _ in 0..<queries {
            let query = source.next()
            var (truth, found): ([SimilarPost], [SimilarPost]) = ([], [])
            comparisons.append(clock.measure { truth = all.nearest(to: query, count) })
            searches.append(
                try await clock.measure {
                    found = try await similar.nearest(.init(embedding: query), after: nil, limit: count)
                })
            hits += Set(truth.map(\.post)).intersection(found.map(\.post)).count
        }
        return Outcome(
            recall: Double(hits) / Double(queries * min(count, vectors)), loading: loading,
            searches: searches.sorted(), comparisons: comparisons.sorted())
    }

    private func fill(_ graph: GraphStore, from source: inout SyntheticVectors) async throws -> [PostEmbedding] {
        let author = try await graph.accounts.createAccount(username: "author", email: nil, passwordHash: nil).id
        try await graph.embeddings.setEmbeddingDimension(dimension)
        var stored: [PostEmbedding] = []
        while stored.count < vectors {
            let posts = (0..<min(Self.batch, vectors - stored.count)).map { _ in
                NewPost(author: author, caption: "c", mediaURL: "https://example.org/v.mp4")
            }
            let some = try await graph.bulkPosts.publish(batch: posts).map {
                PostEmbedding(post: $0, embedding: source.next())
            }
            try await graph.embeddings.storeEmbeddings(some, by: author)
            stored += some
        }
        return stored
    }
}

/// All vectors in one piece of memory, and an exhaustive search for the nearest of them.
private struct VectorMatrix {
    private let posts: [PostID]
    private let dimension: Int
    private let components: [Float]

    init(_ rows: [PostEmbedding]) {
        posts = rows.map(\.post)
        dimension = rows.first?.embedding.dimension ?? 0
        components = rows.flatMap(\.embedding.components)
    }

    func nearest(to query: Embedding, _ count: Int) -> [SimilarPost] {
        var nearest: [SimilarPost] = []
        query.components.withUnsafeBufferPointer { query in
            components.withUnsafeBufferPointer { components in
                for (row, post) in posts.enumerated() {
                    let start = row * dimension
                    let vector = UnsafeBufferPointer(rebasing: components[start..<start + dimension])
                    let similar = SimilarPost(post: post, similarity: DotProduct.of(query, vector))
                    if nearest.count == count {
                        guard let last = nearest.last, similar < last else { continue }
                        nearest.removeLast()
                    }
                    nearest.insert(similar, at: nearest.firstIndex { similar < $0 } ?? nearest.count)
                }
            }
        }
        return nearest
    }
}
