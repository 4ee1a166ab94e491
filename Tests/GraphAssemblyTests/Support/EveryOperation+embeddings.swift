@testable import Discovery
@testable import SocialGraph
import Database

extension EveryOperation {
    /// Embeddings of posts.
    static func embed(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        guard let embedding = Embedding(directionOf: [1, 2]) else { return }
        try await graph.embeddings.setEmbeddingDimension(2)
        try await graph.embeddings.storeEmbedding(embedding, of: post, by: ann)
        try await graph.embeddings.setEmbeddingDimension(2)
        try? await graph.embeddings.setEmbeddingDimension(3)
        _ = try await graph.embeddings.embedding(of: post)
        _ = try await graph.embeddings.embedding(of: post, for: ann)
        _ = try await graph.embeddings.foldEmbeddings(of: [post], into: 0) { count, _, _ in count += 1 }
        _ = try await graph.embeddings.embeddings(above: PostID(rawValue: 0), limit: 5)
        _ = try await graph.embeddings.ownEmbeddings(of: ann, below: nil, limit: 5)
        try await graph.embeddings.deleteEmbedding(of: post, by: ann)
        _ = try await graph.database.write { try EmbeddingStore.Writer($0).clearSomeEmbeddings(limit: 5) }
    }
}
