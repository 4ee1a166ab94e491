import GraphAPI
import Hummingbird
import Sessions
import SocialGraph

extension SessionRoutes {
    /// `GET /v1/me/logins` → {items: [{loginId, outcome, address, userAgent, firstAt, lastAt, count}], nextCursor}, the
    /// latest first
    @Sendable func logins(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let page = try await graph.sessions.loginEvents(of: context.requireCaller(), below: cursor, limit: limit)
        return .json { json in
            json.page(page.items, next: page.next) { $0.login($1) }
        }
    }
}

extension JSONWriter {
    mutating func login(_ event: LoginEvent) {
        beginObject()
        member("loginId", id: event.id)
        member("outcome", event.outcome.rawValue)
        member("address", event.origin.address)
        member("userAgent", event.origin.userAgent)
        member("firstAt", time: event.firstAt)
        member("lastAt", time: event.lastAt)
        member("count", event.count)
        endObject()
    }
}
