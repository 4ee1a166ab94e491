import Database
import GraphAPI
import GraphHTTP
import Hummingbird
import SocialGraph
import Timeline

/// Communities in VistaVid's product API.
struct VistaVidCommunityRoutes: Sendable {
    let services: ProductServices
    let videos: VistaVidRoutes

    /// `GET /communities?limit&lastVisible` → {communities, lastVisible}, the latest first
    @Sendable func communities(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "lastVisible", defaultLimit: ProductPage.undividedLimit)
        let page = try await services.graph.communities.communities(below: ask.cursor, limit: ask.limit)
        let people = try await services.graph.communities.people(
            of: page.items, for: caller, limit: ProductServices.listedIDs)
        return .json { json in
            json.beginObject()
            json.key("communities")
            json.beginArray()
            for (community, people) in zip(page.items, people) {
                json.vistaVid(community: community, members: people.members, moderators: people.moderators)
            }
            json.endArray()
            json.key("lastVisible")
            if let next = page.next { json.id(next) } else { json.null() }
            json.endObject()
        }
    }

    /// `POST /communities` {name, description, creatorId} → 201 {success, communityId}
    @Sendable func create(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("creatorId", caller)
        let name = try body.title("name", maxLength: SocialGraphLimits.communityNameLength)
        let description = try body.optionalWording(
            "description", maxLength: SocialGraphLimits.communityDescriptionLength)
        return try await context.creating {
            try await services.graph.communities.createCommunity(
                name: name, description: description?.unlessBlank ?? "", by: caller)
        } answer: { community in
            .json(.created) { json in
                json.success {
                    $0.member("communityId", id: community.id.rawValue)
                }
            }
        }
    }

    /// `GET /communities/{id}` → the community
    @Sendable func community(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let community = try await services.graph.communities.community(context.communityID())
        let people = try await services.graph.communities.people(
            of: [community], for: context.requireCaller(), limit: ProductServices.listedIDs)
        return .json {
            for people in people {
                $0.vistaVid(community: community, members: people.members, moderators: people.moderators)
            }
        }
    }

    /// `GET /communities/{id}/feed?limit&lastVisible&algorithmFilter` → {videos, lastVisible}
    @Sendable func feed(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "lastVisible")
        let filter = try await services.timelines.filters.filter(
            category: nil, algorithms: query.names("algorithmFilter")
        ).filter
        let community = try await services.graph.communities.community(context.communityID())
        if community.isPrivate, try await services.graph.communities.membership(of: caller, in: community.id) == nil {
            throw GraphError.communityNotFound
        }
        let page = try await services.timelines.feeds.community(
            community.id, for: caller, below: ask.cursor.map(FeedPosition.init(rawValue:)), limit: ask.limit,
            filter: filter)
        return try await videos.answer(page, caller)
    }

    /// `POST /communities/{id}/join` {userId} → {success}; for a private community {success, status: "requested"}
    @Sendable func join(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        let outcome = try await services.graph.communities.joinCommunity(context.communityID(), by: caller)
        return .json { json in
            json.success {
                guard outcome == .requested else { return }
                $0.member("status", "requested")
            }
        }
    }

    /// `POST /communities/{id}/leave` {userId} → {success}. The contract has no transfer of a community, so its owner
    /// may leave: the oldest moderator, else the oldest member, becomes the owner.
    @Sendable func leave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("userId", caller)
        try await services.graph.communities.leaveCommunity(
            context.communityID(), by: caller, passesOnOwnership: true)
        return .json { $0.success() }
    }
}
