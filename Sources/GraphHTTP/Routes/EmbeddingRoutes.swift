import Discovery
import GraphServices
import Hummingbird
import SocialGraph

/// Embeddings of posts, for their authors.
struct EmbeddingRoutes: Sendable {
    let graph: GraphStore
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/embedding` {vector} → 204; only the direction of the vector is kept
    @Sendable func put(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        var body = try StrictObject(try await request.bodyBytes())
        let embedding = try body.embedding("vector")
        try body.end()
        try await visibility.hidingUnseen(post, from: caller) {
            try await graph.embeddings.storeEmbedding(embedding, of: post, by: caller)
        }
        return .noContent
    }

    /// `GET /v1/posts/{id}/embedding` → {postId, vector}, the vector of length 1
    @Sendable func get(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        let embedding = try await visibility.hidingUnseen(post, from: caller) {
            try await graph.embeddings.embedding(of: post, for: caller)
        }
        return .json(reservingCapacity: 64 + 16 * embedding.dimension) {
            $0.embedding(PostEmbedding(post: post, embedding: embedding))
        }
    }

    /// `DELETE /v1/posts/{id}/embedding` → 204
    @Sendable func delete(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.hidingUnseen(post, from: caller) {
            try await graph.embeddings.deleteEmbedding(of: post, by: caller)
        }
        return .noContent
    }
}
