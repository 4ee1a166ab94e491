import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph

/// The modlog: complete for moderators, without private data for the public, and the entries that concern the caller.
struct ModlogRoutes: Sendable {
    let graph: GraphStore

    /// `GET /v1/moderation/modlog`, the latest first; filtered by `communityId`, `actorId`, `userId`, `postId` or
    /// `commentId`, `batch` and `action`
    @Sendable func modlog(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let filter = try Self.filter(&query)
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        guard authority.isModerating, filter.community.map({ authority.may(.claimReport, in: $0) }) ?? true else {
            throw ModerationError.notPermitted(.claimReport)
        }
        let page = try await graph.modlog.modlog(
            filter, visibleTo: authority, below: cursor.map(ModlogEntryID.init(rawValue:)), limit: limit)
        return .json(reservingCapacity: 512 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { $0.modlogEntry($1) }
        }
    }

    private static func filter(_ query: inout QueryParameters) throws -> ModlogFilter {
        var filter = ModlogFilter()
        filter.community = try query.id("communityId").map(CommunityID.init(rawValue:))
        filter.actor = try query.id("actorId").map(UserID.init(rawValue:))
        filter.user = try query.id("userId").map(UserID.init(rawValue:))
        let post = try query.id("postId").map { ModerationSubject.post(PostID(rawValue: $0)) }
        let comment = try query.id("commentId").map { ModerationSubject.comment(CommentID(rawValue: $0)) }
        guard post == nil || comment == nil else {
            throw Problem(.invalidParameter, "Give \"postId\" or \"commentId\", not both.", field: "commentId")
        }
        filter.subject = post ?? comment
        filter.batch = try query.id("batch").map(BatchID.init(rawValue:))
        filter.action = try query.optionalChoice("action", of: ModerationAction.self)
        return filter
    }

    /// `GET /v1/moderation/modlog/verify` → {entries, head, valid, brokenAt}, for moderators of the site
    @Sendable func verify(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.moderation.authority(of: context.requireCaller()).requireSiteRole(for: .undo)
        let verification = try await graph.modlog.verifyModlog()
        return .json { $0.verification(verification) }
    }

    /// `DELETE /v1/moderation/modlog/{entryId}/note`, by an admin → 204
    @Sendable func eraseNote(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard try await graph.moderation.authority(of: caller).siteRole == .admin else {
            throw ModerationError.notPermitted(.undo)
        }
        guard let id = context.parameters.get("entryId").flatMap({ TextRules.parseID($0) }),
            try await graph.modlog.modlogEntry(ModlogEntryID(rawValue: id)) != nil
        else { throw Problem(.notFound, "There is no such entry.") }
        try await graph.modlog.eraseNote(of: ModlogEntryID(rawValue: id), by: caller)
        return .noContent
    }

    /// `GET /v1/modlog`, the latest first: of the site, or with `communityId` of a community; only for its members if
    /// that is private
    @Sendable func publicModlog(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let community = try query.id("communityId").map(CommunityID.init(rawValue:))
        try query.end()
        let caller = try context.requireCaller()
        if let community, try await graph.communities.community(community).isPrivate,
            try await graph.communities.membership(of: caller, in: community) == nil,
            try await graph.moderation.authority(of: caller).siteRole == nil
        {
            throw Problem(.notMember, "Only members can read the modlog of a private community. Join it first.")
        }
        let page = try await graph.modlog.publicModlog(
            of: community, below: cursor.map(ModlogEntryID.init(rawValue:)), limit: limit)
        return .json(reservingCapacity: 256 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { json, entry in
                json.beginObject()
                json.openEntryMembers(entry)
                json.endObject()
            }
        }
    }

    /// `GET /v1/me/moderation`: the entries that concern the caller, the latest first
    @Sendable func ownModeration(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.moderationQueries.ownModeration(
            of: context.requireCaller(), below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.ownEntry($1) } }
    }

    /// `GET /v1/me/strikes` → {items}: the warnings in force
    @Sendable func ownStrikes(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let strikes = try await graph.modlog.strikes(of: context.requireCaller())
        return .json { json in json.items(strikes) { $0.strike($1) } }
    }
}
