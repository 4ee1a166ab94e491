// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Comments and replies.
public struct CommentsAPI: Sendable {
    let client: GraphdClient

    /// List comments on a post, newest first.
    ///
    /// Comments by users whom the caller has blocked or muted, or who have blocked the caller, are left out. A
    /// deleted comment with replies is listed without author and content.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - parentCommentId: Lists the replies to this comment instead of the top-level comments.
    ///   - thread: `all` lists comments and replies together. Cannot be combined with `parentCommentId`.
    ///   - limit: The maximum number of items.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `invalidLimit`,
    ///   `invalidCursor`, `postNotFound`.
    public func list(
        postId: String, parentCommentId: String? = nil, thread: CommentThread? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws -> CommentPage {
        try await client.value(
            Call(
                .get, ["v1", "posts", postId, "comments"],
                query: [
                    .init("parentCommentId", parentCommentId?.queryText), .init("thread", thread?.queryText),
                    .init("limit", limit?.queryText), .init("cursor", cursor?.queryText),
                ]))
    }

    /// Every item of `list`, read page by page as a loop asks for them.
    public func all(postId: String, parentCommentId: String? = nil, thread: CommentThread? = nil, pageSize: Int? = nil)
        -> PagedSequence<Comment>
    {
        PagedSequence {
            let page = try await self.list(
                postId: postId, parentCommentId: parentCommentId, thread: thread, limit: pageSize, cursor: $0)
            return Page(items: page.items, nextCursor: page.nextCursor)
        }
    }

    /// Comment on a post, or reply to a comment.
    ///
    /// Notifies the authors of the post, the author of the parent comment, and mentioned users (`@username`).
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `communityArchived`,
    ///   `postNotFound`, `commentNotFound`, `bodyTooLarge`, `threadTooDeep`, `tooLong`, `invalidValue`,
    ///   `idempotencyKeyReused`.
    @discardableResult
    public func create(postId: String, _ body: NewComment, idempotencyKey: String? = nil) async throws -> Comment {
        try await client.value(
            Call(.post, ["v1", "posts", postId, "comments"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a comment.
    ///
    /// - Parameter commentId: The comment's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `commentNotFound`.
    public func get(commentId: String) async throws -> Comment {
        try await client.value(Call(.get, ["v1", "comments", commentId]))
    }

    /// Edit a comment.
    ///
    /// For its author.
    ///
    /// - Parameter commentId: The comment's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`,
    ///   `commentNotFound`, `bodyTooLarge`, `tooLong`, `invalidValue`.
    @discardableResult
    public func edit(commentId: String, _ body: CommentEdit) async throws -> Comment {
        try await client.value(Call(.patch, ["v1", "comments", commentId], body: .json(body)))
    }

    /// Delete a comment.
    ///
    /// For its author and the authors of the post.
    ///
    /// - Parameter commentId: The comment's id.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `notAuthor`,
    ///   `commentNotFound`.
    public func delete(commentId: String) async throws {
        try await client.perform(Call(.delete, ["v1", "comments", commentId]))
    }
}
