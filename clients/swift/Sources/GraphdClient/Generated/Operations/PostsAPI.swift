// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Posts, reshares and collaborations.
public struct PostsAPI: Sendable {
    let client: GraphdClient

    /// Publish a post.
    ///
    /// The answer is sent after the post and its fan-out job are on disk. Collaborators are invited: an invitation
    /// is pending until it is accepted, or is accepted at once if the collaborator has set
    /// `autoAcceptCollaborations` to `following` and follows the author. A user who has accepted is an author of
    /// the post from then on. Of tags that differ only in letter case, the first is kept.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidHeader`,
    ///   `notAllowed`, `notMember`, `banned`, `communityLocked`, `postNotFound`, `communityNotFound`,
    ///   `mediaNotFound`, `mediaNotReady`, `bodyTooLarge`, `tooLong`, `tooMany`, `invalidUrl`, `invalidValue`,
    ///   `unknownCollaborator`, `mediaFailed`, `idempotencyKeyReused`.
    @discardableResult
    public func create(_ body: NewPost, idempotencyKey: String? = nil) async throws -> Post {
        try await client.value(Call(.post, ["v1", "posts"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a post.
    ///
    /// Business accounts also get `businessData`, which is `null` if there is too little engagement.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func get(postId: String) async throws -> FeedItem {
        try await client.value(Call(.get, ["v1", "posts", postId]))
    }

    /// Edit a post.
    ///
    /// For its author. Omitted fields are unchanged; `null` removes a title, link or thumbnail. Fields that decide
    /// where a post is listed (category, tags, community, collaborators, visibility) cannot be edited. Users whom
    /// the caption mentions for the first time are notified.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`,
    ///   `bodyTooLarge`, `tooLong`, `invalidValue`, `invalidUrl`.
    @discardableResult
    public func edit(postId: String, _ body: PostEdit) async throws -> Post {
        try await client.value(Call(.patch, ["v1", "posts", postId], body: .json(body)))
    }

    /// Delete a post.
    ///
    /// Once the deletion is acknowledged, the post is shown to nobody. A second deletion is answered with 404.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`.
    public func delete(postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId]))
    }

    /// Invite a user to collaborate on a post.
    ///
    /// For the author. Idempotent. The invitation is pending until the user accepts it, or is accepted at once if
    /// the user has set `autoAcceptCollaborations` to `following` and follows the author. An accepted collaborator
    /// is an author: the post is listed on their profile and reaches their followers.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - userId: The collaborator's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `selfCollaboration`,
    ///   `notAuthor`, `notAllowed`, `postNotFound`, `userNotFound`, `limitReached`.
    @discardableResult
    public func inviteCollaborator(postId: String, userId: String) async throws -> Collaborator {
        try await client.value(Call(.put, ["v1", "posts", postId, "collaborators", userId]))
    }

    /// Remove a collaborator, or withdraw an invitation.
    ///
    /// For the author. Idempotent.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - userId: The collaborator's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`,
    ///   `userNotFound`.
    public func removeCollaborator(postId: String, userId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId, "collaborators", userId]))
    }

    /// Accept an invitation to collaborate.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notInvited`, `postNotFound`.
    public func acceptCollaboration(postId: String) async throws {
        try await client.perform(Call(.post, ["v1", "posts", postId, "collaboration", "accept"]))
    }

    /// Decline an invitation to collaborate.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notInvited`, `postNotFound`.
    public func declineCollaboration(postId: String) async throws {
        try await client.perform(Call(.post, ["v1", "posts", postId, "collaboration", "decline"]))
    }

    /// Stop collaborating on a post.
    ///
    /// Removes only the caller as an author; the post stays.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notCollaborator`,
    ///   `postNotFound`.
    public func leaveCollaboration(postId: String) async throws {
        try await client.perform(Call(.post, ["v1", "posts", postId, "collaboration", "leave"]))
    }

    /// Reshare a post.
    ///
    /// Idempotent. Followers whom the post does not reach otherwise get it at the time of the reshare.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func reshare(postId: String) async throws {
        try await client.perform(Call(.put, ["v1", "posts", postId, "reshare"]))
    }

    /// Remove a reshare.
    ///
    /// Idempotent.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func unreshare(postId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "posts", postId, "reshare"]))
    }

    /// Get the delivery status of a post.
    ///
    /// For the authors of the post and the moderators of its community.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`, `postNotFound`.
    public func delivery(postId: String) async throws -> DeliveryReceipt {
        try await client.value(Call(.get, ["v1", "posts", postId, "delivery"]))
    }

    /// Like a post.
    ///
    /// Idempotent.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    @discardableResult
    public func like(postId: String) async throws -> Counts {
        try await client.value(Call(.put, ["v1", "posts", postId, "like"]))
    }

    /// Remove a like.
    ///
    /// Idempotent. A like of a post that the caller may no longer see is removed, too; the answer is 404 then.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    @discardableResult
    public func unlike(postId: String) async throws -> Counts {
        try await client.value(Call(.delete, ["v1", "posts", postId, "like"]))
    }

    /// List users who like a post, newest first.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `postNotFound`.
    public func listLikes(postId: String, limit: Int? = nil, cursor: String? = nil) async throws -> UserPage {
        try await client.value(
            Call(
                .get, ["v1", "posts", postId, "likes"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Every item of `listLikes`, read page by page as a loop asks for them.
    public func allLikes(postId: String, pageSize: Int? = nil) -> PagedSequence<Author> {
        PagedSequence {
            let page = try await self.listLikes(postId: postId, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Record a share of a post on another platform.
    ///
    /// Every call counts. To share a post on this server, reshare it.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`,
    ///   `bodyTooLarge`, `tooLong`, `invalidValue`, `idempotencyKeyReused`.
    @discardableResult
    public func shareExternally(postId: String, _ body: NewShare, idempotencyKey: String? = nil) async throws
        -> ExternalShare
    {
        try await client.value(
            Call(.post, ["v1", "posts", postId, "shares"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Stream new comments and counts of a post.
    ///
    /// Server-sent events. `counts` has the current counts first, and then whenever they have changed; several
    /// changes between two writes are sent once. `comment` is a new or edited comment. `comment_gone` means that a
    /// comment visible to the caller was deleted or hidden; its data has the `commentId`. Comments that the caller
    /// may not see are not sent. `end` means that the server closes the stream; its `reason` is `post_gone`,
    /// `too_slow`, `too_many_streams`, `token_invalid` or `server_stopping`. Nothing is replayed, and events have
    /// no `id`.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`.
    public func stream(postId: String) -> EventStream {
        client.events(Call(.get, ["v1", "posts", postId, "stream"]))
    }

    /// Record how far the caller has watched a video.
    ///
    /// For each user and post, the longest time is kept, and whether the end was ever reached, so a repetition
    /// changes nothing. The progress is used for recommendations and shown to nobody else.
    ///
    /// - Parameter postId: The post's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `postNotFound`,
    ///   `bodyTooLarge`, `invalidValue`.
    public func watch(postId: String, _ body: NewWatch) async throws {
        try await client.perform(Call(.post, ["v1", "posts", postId, "watch"], body: .json(body)))
    }
}
