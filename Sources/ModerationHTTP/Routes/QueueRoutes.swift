import GraphAPI
import GraphHTTP
import Hummingbird
import Moderation
import SocialGraph

/// Posts and comments held for review.
struct QueueRoutes: Sendable {
    let graph: GraphStore
    let publicURL: @Sendable (String) -> String

    /// `GET /v1/moderation/queue` ?communityId&kind → {items, nextCursor}, the oldest first: of the community, or of
    /// everything that the caller moderates
    @Sendable func queue(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let filter = QueueFilter(
            community: try query.community(), kind: try query.optionalChoice("kind", of: QueueFilter.Kind.self))
        try query.end()
        let page = try await graph.queue.queue(filter, above: cursor, limit: limit, by: context.requireCaller())
        return .json { json in
            json.page(page.items, next: page.next) { $0.heldItem($1, publicURL) }
        }
    }
}
