import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Followers and followed users.
struct FollowRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `PUT /v1/users/{id}/follow` → 204, also if the user is already followed; 202 {status: "requested"} for a private
    /// account, also if the request is waiting already
    @Sendable func follow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        switch try await graph.follows.follow(context.requireCaller(), context.userID()) {
        case .following: return .noContent
        case .requested:
            return .json(.accepted) { json in
                json.beginObject()
                json.member("status", "requested")
                json.endObject()
            }
        }
    }

    /// `DELETE /v1/users/{id}/follow` → 204, also if there was neither a follow nor a request
    @Sendable func unfollow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.follows.unfollow(context.requireCaller(), context.userID())
        return .noContent
    }

    /// `GET /v1/users/{id}/followers`, the latest first
    @Sendable func followers(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await list(request, context) {
            try await graph.follows.followList(of: $0, .followers, for: $1, below: $2, limit: $3)
        }
    }

    /// `GET /v1/users/{id}/following`, the latest first
    @Sendable func following(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await list(request, context) {
            try await graph.follows.followList(of: $0, .following, for: $1, below: $2, limit: $3)
        }
    }

    /// `GET /v1/users/{id}/mutuals`: the users whom the user follows and who follow back
    @Sendable func mutuals(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await list(request, context) { try await graph.follows.mutuals(of: $0, for: $1, below: $2, limit: $3) }
    }

    private func list(
        _ request: Request, _ context: GraphRequestContext,
        page: (_ user: UserID, _ viewer: UserID, Int64?, Int) async throws -> Page<FollowEntry, Int64>
    ) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let (user, caller) = (try context.userID(), try context.requireCaller())
        try await graph.blocksAndMutes.requireShown(user, to: caller)
        let page = try await page(user, caller, cursor, limit)
        let cards = try await timelines.details.cards(of: page.items.map(\.user), for: caller)
        return .json { $0.people(cards, next: page.next) }
    }
}
