import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// Requests to join a private community, for its moderators.
struct JoinRequestRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `GET /v1/communities/{id}/requests`, the latest first
    @Sendable func requests(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.joinRequests.joinRequests(
            to: context.communityID(), for: context.requireCaller(), below: cursor, limit: limit)
        let cards = try await timelines.details.cards(of: page.items.map(\.user), for: context.requireCaller())
        return .json { $0.people(cards, next: page.next) }
    }

    /// `PUT /v1/communities/{id}/requests/{userId}`: admits the user → 204, also for a member
    @Sendable func approve(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.joinRequests.approveRequest(
            of: context.userID("userId"), to: context.communityID(), by: context.requireCaller())
        return .noContent
    }

    /// `DELETE /v1/communities/{id}/requests/{userId}`: declines the request → 204
    @Sendable func decline(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.joinRequests.declineRequest(
            of: context.userID("userId"), to: context.communityID(), by: context.requireCaller())
        return .noContent
    }
}
