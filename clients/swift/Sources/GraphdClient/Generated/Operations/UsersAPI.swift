// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Users.
public struct UsersAPI: Sendable {
    let client: GraphdClient

    /// List posts that the caller likes, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listLikes(limit: Int? = nil, cursor: String? = nil) async throws -> LikePage {
        try await client.value(
            Call(
                .get, ["v1", "me", "likes"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listLikes`, read page by page as a loop asks for them.
    public func allLikes(pageSize: Int? = nil) -> PagedSequence<Like> {
        PagedSequence {
            let page = try await self.listLikes(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }
}
