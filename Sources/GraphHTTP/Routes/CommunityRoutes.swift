import Database
import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// Communities and the caller's membership state in them.
struct CommunityRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/communities` {name, description?, private?} → 201 with the community, owned by the caller
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let name = try body.title("name", maxLength: SocialGraphLimits.communityNameLength)
        let description = try body.optionalText(
            "description", maxLength: SocialGraphLimits.communityDescriptionLength)
        let isPrivate = try body.optionalBool("private")
        try body.end()
        return try await context.creating {
            try await graph.communities.createCommunity(
                name: name, description: description ?? "", by: caller, isPrivate: isPrivate ?? false)
        } answer: { community in
            .json(.created, headers: [.location: "/v1/communities/\(community.id.rawValue)"]) {
                $0.community(community, .ofFounder(in: community.id))
            }
        }
    }

    /// `GET /v1/communities`, the latest first; `q`: words of the name, the last of which may be a prefix
    @Sendable func communities(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor, text) = (
            try query.limit(), try query.cursor(),
            try query.optionalText("q", maxLength: SocialGraphLimits.searchLength)
        )
        try query.end()
        let caller = try context.requireCaller()
        let page =
            if let text {
                try await graph.communities.communities(matching: text, below: cursor, limit: limit)
            } else {
                try await graph.communities.communities(below: cursor, limit: limit)
            }
        let memberships = try await graph.communities.memberships(of: caller)
        return .json { json in
            json.page(page.items, next: page.next) { $0.community($1, memberships[$1.id]) }
        }
    }

    /// `GET /v1/me/communities`: {items}, the latest joined first
    @Sendable func ownCommunities(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let joined = try await graph.communities.communities(of: context.requireCaller())
        return .json { json in
            json.page(joined, next: Int64?.none) { $0.community($1.community, $1.membership) }
        }
    }

    /// `GET /v1/communities/{id}`
    @Sendable func community(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.communityID(), try context.requireCaller())
        let community = try await graph.communities.community(id)
        let membership = try await graph.communities.membership(of: caller, in: id)
        return .json { $0.community(community, membership) }
    }

    /// `PATCH /v1/communities/{id}` {description?, private?}, by its owner or a moderator → the community
    @Sendable func change(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (id, caller) = (try context.communityID(), try context.requireCaller())
        var body = try StrictObject(await request.bodyBytes())
        let description = try body.optionalString(
            "description", maxLength: SocialGraphLimits.communityDescriptionLength)
        let isPrivate = try body.optionalBool("private")
        try body.end()
        let community = try await graph.joinRequests.changeCommunity(
            id, by: caller, description: description, isPrivate: isPrivate)
        let membership = try await graph.communities.membership(of: caller, in: id)
        return .json { $0.community(community, membership) }
    }

    /// `GET /v1/communities/{id}/members`: {userId, username, role}, the latest first; for a private community, only
    /// for its members
    @Sendable func members(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let (id, caller) = (try context.communityID(), try context.requireCaller())
        if try await graph.communities.community(id).isPrivate,
            try await graph.communities.membership(of: caller, in: id) == nil
        {
            throw Problem(.notMember, "Only members can see who is in a private community. Join it first.")
        }
        let page = try await graph.communities.members(of: id, for: caller, below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.communityMember($1) } }
    }

    /// `POST /v1/communities/{id}/join` → 204, also for a member; 202 {status: "requested"} if the community is
    /// private: a moderator decides
    @Sendable func join(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let outcome = try await graph.communities.joinCommunity(context.communityID(), by: context.requireCaller())
        guard outcome == .requested else { return .noContent }
        return .json(.accepted) {
            $0.beginObject()
            $0.member("status", "requested")
            $0.endObject()
        }
    }

    /// `POST /v1/communities/{id}/leave` → 204, also for a non-member
    @Sendable func leave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.communities.leaveCommunity(context.communityID(), by: context.requireCaller())
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
            try await graph.communities.setCommunity(id, isInHome: isInHome, for: caller)
        } catch GraphError.notMember {
            throw Problem(.notMember, "Only members can show a community in their home timeline. Join it first.")
        }
        return .noContent
    }
}
