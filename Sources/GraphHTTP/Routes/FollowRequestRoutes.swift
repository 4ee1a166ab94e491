import GraphAPI
import GraphServices
import Hummingbird
import Privacy
import SocialGraph
import Timeline

/// Requests to follow private accounts.
struct FollowRequestRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `GET /v1/me/follow-requests`: requests to the caller, the latest first
    @Sendable func requests(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await list(request, context) {
            try await graph.followRequests.requests(to: $0, below: $1, limit: $2)
        }
    }

    /// `GET /v1/me/follow-requests/sent`: requests by the caller, the latest first
    @Sendable func sent(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await list(request, context) {
            try await graph.followRequests.sentRequests(by: $0, below: $1, limit: $2)
        }
    }

    private func list(
        _ request: Request, _ context: GraphRequestContext,
        page: (UserID, Int64?, Int) async throws -> Page<FollowEntry, Int64>
    ) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let caller = try context.requireCaller()
        let page = try await page(caller, cursor, limit)
        let cards = try await timelines.details.cards(of: page.items.map(\.user), for: caller)
        return .json { $0.people(cards, next: page.next) }
    }

    /// `PUT /v1/me/follow-requests/{userId}`: approves the request → 204, also for a follower
    @Sendable func approve(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.followRequests.approve(context.userID("userId"), by: context.requireCaller())
        return .noContent
    }

    /// `DELETE /v1/me/follow-requests/{userId}`: declines the request → 204, also if there was none
    @Sendable func decline(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.followRequests.decline(context.userID("userId"), by: context.requireCaller())
        return .noContent
    }
}
