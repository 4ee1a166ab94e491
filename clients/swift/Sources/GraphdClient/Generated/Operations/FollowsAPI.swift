// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Follows.
public struct FollowsAPI: Sendable {
    let client: GraphdClient

    /// List requests to follow the caller, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listFollowRequests(limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "me", "follow-requests"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listFollowRequests`, read page by page as a loop asks for them.
    public func allFollowRequests(pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listFollowRequests(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List the caller's waiting requests to follow others, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func listSentFollowRequests(limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "me", "follow-requests", "sent"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listSentFollowRequests`, read page by page as a loop asks for them.
    public func allSentFollowRequests(pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listSentFollowRequests(limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Approve a request to follow the caller.
    ///
    /// Idempotent. The follow counts from now on, and the follower is notified.
    ///
    /// - Parameter userId: The id of the user who asks to follow.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `followRequestNotFound`,
    ///   `userNotFound`.
    public func approveFollowRequest(userId: String) async throws {
        try await client.perform(Call(.put, ["v1", "me", "follow-requests", userId]))
    }

    /// Decline a request to follow the caller.
    ///
    /// Idempotent. The sender is not notified, and can ask again.
    ///
    /// - Parameter userId: The id of the user who asks to follow.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `userNotFound`.
    public func declineFollowRequest(userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "me", "follow-requests", userId]))
    }

    /// Follow a user, or ask a private account.
    ///
    /// Idempotent. A follow of a private account is a request, which waits until its owner approves it, declines it
    /// or makes the account public.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfFollow`, `notAllowed`,
    ///   `userNotFound`, `limitReached`.
    @discardableResult
    public func follow(userId: String) async throws -> FollowRequested? {
        try await client.optionalValue(Call(.put, ["v1", "users", userId, "follow"]))
    }

    /// Unfollow a user, or take a request back.
    ///
    /// Idempotent. Once acknowledged, posts that only this follow brought are not shown in the caller's home
    /// timeline.
    ///
    /// - Parameter userId: The user's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfFollow`, `userNotFound`.
    public func unfollow(userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "users", userId, "follow"]))
    }

    /// List a user's followers, newest first.
    ///
    /// Empty for a private account, unless the caller is its owner or one of its followers.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `userNotFound`.
    public func listFollowers(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "users", userId, "followers"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listFollowers`, read page by page as a loop asks for them.
    public func allFollowers(userId: String, pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listFollowers(userId: userId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List users whom a user follows, newest first.
    ///
    /// Empty for a private account, unless the caller is its owner or one of its followers.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `userNotFound`.
    public func listFollowing(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "users", userId, "following"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listFollowing`, read page by page as a loop asks for them.
    public func allFollowing(userId: String, pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listFollowing(userId: userId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List mutual follows of a user.
    ///
    /// Listed by the time at which the user followed them, newest first.
    ///
    /// - Parameters:
    ///   - userId: The user's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `userNotFound`.
    public func listMutuals(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "users", userId, "mutuals"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listMutuals`, read page by page as a loop asks for them.
    public func allMutuals(userId: String, pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listMutuals(userId: userId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }
}
