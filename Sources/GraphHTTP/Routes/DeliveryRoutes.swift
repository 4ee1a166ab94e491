import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph

/// The progress of a post's delivery.
struct DeliveryRoutes: Sendable {
    let graph: GraphStore
    let visibility: PostVisibilityCheck

    /// `GET /v1/posts/{id}/delivery`, for its authors and the moderators of its community
    @Sendable func receipt(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        let receipt = try await visibility.hidingUnseen(post, from: caller) {
            try await graph.deliveries.deliveryReceipt(of: post, for: caller)
        }
        return .json { $0.deliveryReceipt(receipt, of: post) }
    }
}
