import GraphAPI
import Hummingbird
import SocialGraph

/// Communities and the caller's place in them.
struct CommunityRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/communities` {name, description} → 201 with the community, whose owner the caller is
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let name = try body.title("name", maxLength: SocialGraphLimits.communityNameLength)
        let description = try body.optionalText(
            "description", maxLength: SocialGraphLimits.communityDescriptionLength)
        try body.end()
        let community = try await graph.createCommunity(name: name, description: description ?? "", by: caller)
        let membership = try await graph.membership(of: caller, in: community.id)
        return .json(.created, headers: [.location: "/v1/communities/\(community.id.rawValue)"]) {
            $0.community(community, membership)
        }
    }

    /// `GET /v1/communities/{id}`
    @Sendable func community(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.communityID(), try context.requireCaller())
        let community = try await graph.community(id)
        let membership = try await graph.membership(of: caller, in: id)
        return .json { $0.community(community, membership) }
    }

    /// `POST /v1/communities/{id}/join` → 204, also for a member
    @Sendable func join(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.joinCommunity(context.communityID(), by: context.requireCaller())
        return .noContent
    }

    /// `POST /v1/communities/{id}/leave` → 204, also for somebody who is no member
    @Sendable func leave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.leaveCommunity(context.communityID(), by: context.requireCaller())
        return .noContent
    }

    /// `PUT /v1/communities/{id}/home` {inHome}, by a member → 204
    @Sendable func setHome(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.communityID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let isInHome = try body.bool("inHome")
        try body.end()
        do {
            try await graph.setCommunity(id, isInHome: isInHome, for: caller)
        } catch GraphError.notMember {
            throw Problem(.notMember, "Only a member has this community in the home timeline. Join it first.")
        }
        return .noContent
    }
}
