// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Communities and their members.
public struct CommunitiesAPI: Sendable {
    let client: GraphdClient

    /// List communities, newest first.
    ///
    /// Private communities are listed too; only their members see the content.
    ///
    /// - Parameters:
    ///   - query: Words in the name; the last may be a prefix. Letter case is ignored.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`.
    public func list(query: String? = nil, limit: Int? = nil, cursor: String? = nil) async throws -> CommunityPage {
        try await client.value(
            Call(
                .get, ["v1", "communities"],
                query: [
                    .init("q", query?.queryText), .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `list`, read page by page as a loop asks for them.
    public func all(query: String? = nil, pageSize: Int? = nil) -> PagedSequence<Community> {
        PagedSequence {
            let page = try await self.list(query: query, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Create a community.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `communityNameTaken`,
    ///   `limitReached`, `bodyTooLarge`, `tooLong`, `invalidValue`, `idempotencyKeyReused`.
    @discardableResult
    public func create(_ body: NewCommunity, idempotencyKey: String? = nil) async throws -> Community {
        try await client.value(
            Call(.post, ["v1", "communities"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a community and the caller's membership.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `communityNotFound`.
    public func get(communityId: String) async throws -> Community {
        try await client.value(Call(.get, ["v1", "communities", communityId]))
    }

    /// Edit a community, or make it private or public.
    ///
    /// `description` can be changed by the owner and moderators, `private` by the owner, with an entry in the
    /// modlog. Posts made while the community was private stay visible only to members, even after it has become
    /// public. Omitted fields are unchanged.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notModerator`,
    ///   `notPermitted`, `siteDecision`, `communityNotFound`, `bodyTooLarge`, `tooLong`, `invalidValue`.
    @discardableResult
    public func change(communityId: String, _ body: CommunityChange) async throws -> Community {
        try await client.value(Call(.patch, ["v1", "communities", communityId], body: .json(body)))
    }

    /// Join a community.
    ///
    /// Idempotent.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `banned`,
    ///   `communityNotFound`, `limitReached`.
    @discardableResult
    public func join(communityId: String) async throws -> JoinRequested? {
        try await client.optionalValue(Call(.post, ["v1", "communities", communityId, "join"]))
    }

    /// Leave a community.
    ///
    /// Idempotent.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `communityNotFound`,
    ///   `ownerCannotLeave`.
    public func leave(communityId: String) async throws {
        try await client.perform(Call(.post, ["v1", "communities", communityId, "leave"]))
    }

    /// Show or hide a joined community in the home timeline.
    ///
    /// - Parameter communityId: The community's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notMember`,
    ///   `communityNotFound`, `bodyTooLarge`.
    public func setHome(communityId: String, _ body: HomeSwitch) async throws {
        try await client.perform(Call(.put, ["v1", "communities", communityId, "home"], body: .json(body)))
    }

    /// List communities of the caller, last joined first.
    public func listOwn() async throws -> CommunityPage {
        try await client.value(Call(.get, ["v1", "me", "communities"]))
    }

    /// List members of a community, newest first.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notMember`, `communityNotFound`.
    public func listMembers(communityId: String, limit: Int? = nil, cursor: String? = nil) async throws -> MemberPage {
        try await client.value(
            Call(
                .get, ["v1", "communities", communityId, "members"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listMembers`, read page by page as a loop asks for them.
    public func allMembers(communityId: String, pageSize: Int? = nil) -> PagedSequence<Member> {
        PagedSequence {
            let page = try await self.listMembers(communityId: communityId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// List requests to join a private community, newest first.
    ///
    /// For its owner and moderators.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `notModerator`, `communityNotFound`.
    public func listJoinRequests(communityId: String, limit: Int? = nil, cursor: String? = nil) async throws -> UserPage
    {
        try await client.value(
            Call(
                .get, ["v1", "communities", communityId, "requests"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listJoinRequests`, read page by page as a loop asks for them.
    public func allJoinRequests(communityId: String, pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listJoinRequests(communityId: communityId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Approve a join request.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - userId: The id of the user who asked to join.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notModerator`,
    ///   `joinRequestNotFound`, `communityNotFound`, `userNotFound`, `limitReached`.
    public func approveJoinRequest(communityId: String, userId: String) async throws {
        try await client.perform(Call(.put, ["v1", "communities", communityId, "requests", userId]))
    }

    /// Decline a join request.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - userId: The id of the user who asked to join.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notModerator`,
    ///   `joinRequestNotFound`, `communityNotFound`, `userNotFound`.
    public func declineJoinRequest(communityId: String, userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "communities", communityId, "requests", userId]))
    }
}
