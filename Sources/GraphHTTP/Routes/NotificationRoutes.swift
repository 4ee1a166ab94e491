import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// The caller's notifications.
struct NotificationRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `GET /v1/notifications`, grouped, the latest first; `unread=true` leaves out those already read
    @Sendable func notifications(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let onlyUnread = try query.flag("unread")
        try query.end()
        let caller = try context.requireCaller()
        let page = try await timelines.notifications.groups(
            for: caller, below: cursor, limit: limit, onlyUnread: onlyUnread)
        let details = try await timelines.details.details(of: page.items, for: caller)
        let notices = try await graph.notices.notices(page.items.map { ($0.kind, $0.latest.subject) })
        return .json { json in
            json.page(zip(page.items, zip(details, notices)), next: page.next) { json, item in
                json.notificationGroup(item.0, item.1.0, item.1.1)
            }
        }
    }

    /// `GET /v1/notifications/unread-count` → {unreadCount}: groups, counted up to ``TimelineLimits/unreadCounted``
    @Sendable func unreadCount(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let count = try await timelines.notifications.unreadCount(of: context.requireCaller())
        return .json {
            $0.beginObject()
            $0.member("unreadCount", count)
            $0.endObject()
        }
    }

    /// `PUT /v1/notifications/{id}/read` → 204, also if it was already read
    @Sendable func markRead(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        guard let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw GraphError.notificationNotFound
        }
        try await graph.notifications.markGroupRead(id, of: context.requireCaller())
        return .noContent
    }

    /// `PUT /v1/notifications/read` → 204: marks all as read
    @Sendable func markAllRead(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await graph.notifications.markAllNotificationsRead(of: context.requireCaller())
        return .noContent
    }
}
