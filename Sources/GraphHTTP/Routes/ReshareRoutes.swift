import GraphServices
import Hummingbird
import SocialGraph

/// Posts that the caller passes on to their followers.
struct ReshareRoutes: Sendable {
    let graph: GraphStore
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/reshare` → 204, also if the post is already reshared
    @Sendable func reshare(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.require(post, for: caller)
        try await graph.reshares.reshare(post, by: caller)
        return .noContent
    }

    /// `DELETE /v1/posts/{id}/reshare` → 204, also if there was no reshare
    @Sendable func unreshare(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        // A reshare can be taken back even if its post has become invisible; without one, the answer does not reveal
        // the post.
        if try await !graph.reshares.unreshare(post, by: caller) { try await visibility.require(post, for: caller) }
        return .noContent
    }
}
