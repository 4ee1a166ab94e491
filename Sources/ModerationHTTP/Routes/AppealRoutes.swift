import Database
import GraphAPI
import GraphHTTP
import Hummingbird
import Moderation
import SocialGraph

/// Appeals: filed by the users whom an entry of the modlog concerns, decided by moderators.
struct AppealRoutes: Sendable {
    let graph: GraphStore

    /// `POST /v1/appeals` {entryId, text} → 201 {appealId, status}
    @Sendable func appeal(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let entry = ModlogEntryID(rawValue: try body.id("entryId"))
        let text = try body.string("text", maxLength: ModerationLimits.appealLength)
        try body.end()
        return try await context.creating {
            try await graph.appeals.appeal(against: entry, by: caller, text: text)
        } answer: { appeal in
            .json(.created) { json in
                json.beginObject()
                json.member("appealId", id: appeal.id.rawValue)
                json.member("status", appeal.state.status.rawValue)
                json.endObject()
            }
        }
    }

    /// `GET /v1/appeals`: the caller's own, the latest first
    @Sendable func ownAppeals(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.appeals.appeals(of: context.requireCaller(), below: cursor, limit: limit)
        return .json { json in json.page(page.items, next: page.next) { $0.ownAppeal($1) } }
    }

    /// `GET /v1/moderation/appeals`, the latest first; filtered by `communityId` and `status` (open, granted, denied or
    /// all; default open)
    @Sendable func appeals(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let community = try query.id("communityId").map(CommunityID.init(rawValue:))
        let status = try query.choice("status", default: StatusChoice.open).status
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        let page = try await graph.appeals.appeals(
            status, in: community, visibleTo: authority, below: cursor, limit: limit)
        return .json(reservingCapacity: 1_024 * page.items.count + 64) { json in
            json.page(page.items, next: page.next) { $0.appeal($1) }
        }
    }

    private enum StatusChoice: String, CaseIterable {
        case open, granted, denied, all
        var status: AppealStatus? { AppealStatus(rawValue: rawValue) }
    }
}
