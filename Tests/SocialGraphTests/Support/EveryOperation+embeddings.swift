@testable import SocialGraph

extension EveryOperation {
    /// Embeddings of posts.
    static func embed(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        guard let embedding = Embedding(directionOf: [1, 2]) else { return }
        try await graph.setEmbeddingDimension(2)
        try await graph.storeEmbedding(embedding, of: post, by: ann)
        try await graph.setEmbeddingDimension(2)
        try? await graph.setEmbeddingDimension(3)
        _ = try await graph.embedding(of: post)
        _ = try await graph.embedding(of: post, for: ann)
        _ = try await graph.foldEmbeddings(of: [post], into: 0) { count, _, _ in count += 1 }
        _ = try await graph.embeddings(above: PostID(rawValue: 0), limit: 5)
        _ = try await graph.ownEmbeddings(of: ann, below: nil, limit: 5)
        try await graph.deleteEmbedding(of: post, by: ann)
        _ = try await graph.clearSomeEmbeddings(limit: 5)
    }
}
