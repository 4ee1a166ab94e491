import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// The users whom the caller has blocked.
struct BlockRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `PUT /v1/users/{id}/block` → 204, also if the user is already blocked
    @Sendable func block(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.blocksAndMutes.block(context.requireCaller(), context.userID())
        return .noContent
    }

    /// `DELETE /v1/users/{id}/block` → 204, also if there was no block
    @Sendable func unblock(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.blocksAndMutes.unblock(context.requireCaller(), context.userID())
        return .noContent
    }

    /// `GET /v1/me/blocks`, the latest first
    @Sendable func blocks(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.blocksAndMutes.blocks(of: context.requireCaller(), below: cursor, limit: limit)
        let cards = try await timelines.details.cards(of: page.items.map(\.user), for: context.requireCaller())
        return .json { $0.people(cards, next: page.next) }
    }
}
