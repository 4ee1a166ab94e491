import GraphAPI
import GraphHTTP
import Hummingbird
import Moderation
import SocialGraph

/// Communities in the moderators' view.
struct ModeratedCommunityRoutes: Sendable {
    let graph: GraphStore

    /// `GET /v1/moderation/communities`: those that the caller moderates, all of them for moderators of the site; `q`:
    /// by name
    @Sendable func communities(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor, text) = (
            try query.limit(), try query.cursor(),
            try query.optionalText("q", maxLength: SocialGraphLimits.searchLength)
        )
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let page = try await graph.moderationQueries.moderatedCommunities(
            visibleTo: authority, matching: text, below: cursor, limit: limit)
        return .json(reservingCapacity: 256 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { $0.moderatedCommunity($1) }
        }
    }

    /// `GET /v1/moderation/communities/{id}`: includes its moderators in order, pins, featured posts, counts
    @Sendable func community(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let card = try await graph.moderationQueries.moderatedCommunity(context.communityID(), visibleTo: authority)
        return .json { $0.moderatedCommunityCard(card) }
    }

    /// `GET /v1/moderation/communities/{id}/members`, the latest first; `q`: prefix of usernames; `banned=true`: banned
    /// users, with the entry of the ban
    @Sendable func members(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor, name) = (
            try query.limit(), try query.cursor(),
            try query.optionalText("q", maxLength: SocialGraphLimits.searchLength)
        )
        let isOfBanned = try query.flag("banned")
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let community = try context.communityID()
        if isOfBanned {
            let page = try await graph.moderationQueries.bans(
                of: community, named: name, visibleTo: authority, below: cursor, limit: limit)
            return .json { json in json.page(page.items, next: page.next) { $0.bannedMember($1) } }
        }
        let page = try await graph.moderationQueries.moderatedMembers(
            of: community, named: name, visibleTo: authority, below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.moderatedMember($1) } }
    }
}
