import GraphAPI
import Hummingbird
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
        key("loginId")
        id(event.id)
        key("outcome")
        string(event.outcome.rawValue)
        key("address")
        string(event.origin.address)
        key("userAgent")
        string(event.origin.userAgent)
        key("firstAt")
        timestamp(milliseconds: event.firstAt)
        key("lastAt")
        timestamp(milliseconds: event.lastAt)
        key("count")
        integer(event.count)
        endObject()
    }
}
