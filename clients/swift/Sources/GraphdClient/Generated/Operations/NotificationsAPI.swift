// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Notifications.
public struct NotificationsAPI: Sendable {
    let client: GraphdClient

    /// List the caller's notifications in groups, newest first.
    ///
    /// Events of one kind on one post, or follows, are one group until it is read. There are no notifications for
    /// the caller's own actions, across a block, by users whose notifications are muted, or about posts that the
    /// caller may not see. They are kept for 90 days, unless the operator sets another time.
    ///
    /// - Parameters:
    ///   - unread: Return only unread groups.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func list(unread: Bool? = nil, limit: Int? = nil, cursor: String? = nil) async throws -> NotificationPage {
        try await client.value(
            Call(
                .get, ["v1", "notifications"],
                query: [
                    .init("unread", unread?.queryText), .init("limit", limit?.queryText),
                    .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `list`, read page by page as a loop asks for them.
    public func all(unread: Bool? = nil, pageSize: Int? = nil) -> PagedSequence<NotificationItem> {
        PagedSequence {
            let page = try await self.list(unread: unread, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Count unread groups.
    public func unreadCount() async throws -> UnreadCount {
        try await client.value(Call(.get, ["v1", "notifications", "unread-count"]))
    }

    /// Mark all notifications as read.
    public func markAllRead() async throws {
        try await client.perform(Call(.put, ["v1", "notifications", "read"]))
    }

    /// Mark a group as read.
    ///
    /// - Parameter notificationId: The notification's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notificationNotFound`.
    public func markRead(notificationId: String) async throws {
        try await client.perform(Call(.put, ["v1", "notifications", notificationId, "read"]))
    }
}
