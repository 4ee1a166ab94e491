// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Product API of the social app.
public struct SocialAPI: Sendable {
    let client: GraphdClient

    /// Sign up.
    @discardableResult
    public func signUp(_ body: SocialSignUpRequest) async throws -> SocialSignUpAnswer {
        try await client.value(Call(.post, ["social", "user", "signup"], body: .json(body), authorization: .none))
    }

    /// Sign up.
    @discardableResult
    public func authSignUp(_ body: SocialAuthSignUpRequest) async throws -> SocialAuthSignUpAnswer {
        try await client.value(Call(.post, ["social", "auth", "signup"], body: .json(body), authorization: .none))
    }

    /// Log in.
    @discardableResult
    public func logIn(_ body: SocialLogInRequest) async throws -> SocialLogInAnswer {
        try await client.value(Call(.post, ["social", "auth", "login"], body: .json(body), authorization: .none))
    }

    /// Get a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func user(userId: String) async throws -> SocialUser {
        try await client.value(Call(.get, ["social", "user", userId]))
    }

    /// Change the caller’s profile.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func update(userId: String, _ body: SocialUpdateRequest? = nil) async throws -> SocialUser {
        try await client.value(Call(.put, ["social", "user", userId, "update"], body: .optional(body)))
    }

    /// Follow a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func follow(userId: String, _ body: SocialFollowRequest? = nil) async throws -> SocialFollowAnswer {
        try await client.value(Call(.post, ["social", "user", userId, "follow"], body: .optional(body)))
    }

    /// Unfollow a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func unfollow(userId: String) async throws -> SocialUnfollowAnswer {
        try await client.value(Call(.delete, ["social", "user", userId, "unfollow"]))
    }

    /// Get the caller’s home timeline.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list, which the contract does not divide into pages.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    public func timeline(userId: String, limit: Int? = nil, cursor: String? = nil) async throws -> SocialTimelineAnswer
    {
        try await client.value(
            Call(
                .get, ["social", "timeline", userId],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Get the caller’s home timeline for a category.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - category: The name of the category.
    ///   - limit: The maximum length of the list, which the contract does not divide into pages.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    public func categoryTimeline(userId: String, category: String, limit: Int? = nil, cursor: String? = nil)
        async throws -> SocialCategoryTimelineAnswer
    {
        try await client.value(
            Call(
                .get, ["social", "timeline", userId, "category", category],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// List the caller’s notifications one by one, newest first.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list, which the contract does not divide into pages.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    public func notifications(userId: String, limit: Int? = nil, cursor: String? = nil) async throws
        -> SocialNotificationsAnswer
    {
        try await client.value(
            Call(
                .get, ["social", "notifications", userId],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Mark a notification as read.
    ///
    /// - Parameter id: The id of the notification.
    @discardableResult
    public func markAsRead(id: String) async throws -> SocialMarkAsReadAnswer {
        try await client.value(Call(.put, ["social", "notifications", id, "mark-as-read"]))
    }

    /// Publish a post.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func createPost(_ body: SocialCreatePostRequest, idempotencyKey: String? = nil) async throws
        -> SocialCreatePostAnswer
    {
        try await client.value(
            Call(.post, ["social", "post", "create"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a post.
    ///
    /// - Parameter postId: The post's id.
    public func post(postId: String) async throws -> SocialPost {
        try await client.value(Call(.get, ["social", "post", postId]))
    }

    /// Delete a post.
    ///
    /// - Parameter postId: The post's id.
    @discardableResult
    public func deletePost(postId: String) async throws -> SocialDeletePostAnswer {
        try await client.value(Call(.delete, ["social", "post", postId]))
    }

    /// Like a post.
    ///
    /// - Parameter postId: The post's id.
    @discardableResult
    public func like(postId: String) async throws -> SocialLikeAnswer {
        try await client.value(Call(.post, ["social", "post", postId, "like"]))
    }

    /// Remove a like.
    ///
    /// - Parameter postId: The post's id.
    @discardableResult
    public func unlike(postId: String) async throws -> SocialUnlikeAnswer {
        try await client.value(Call(.delete, ["social", "post", postId, "like"]))
    }

    /// Comment on a post.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func comment(postId: String, _ body: SocialCommentRequest, idempotencyKey: String? = nil) async throws
        -> SocialComment
    {
        try await client.value(
            Call(.post, ["social", "post", postId, "comment"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// List comments on a post, newest first.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - limit: The maximum length of the list; the default is ten.
    ///   - cursor: The `nextCursor` of the page before. Omit it for the first page.
    public func comments(postId: String, limit: Int? = nil, cursor: String? = nil) async throws -> SocialCommentsAnswer
    {
        try await client.value(
            Call(
                .get, ["social", "post", postId, "comments"],
                query: [.init("limit", limit?.queryText), .init("cursor", cursor?.queryText)]))
    }

    /// Share a post.
    ///
    /// - Parameters:
    ///   - postId: The post's id.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func share(postId: String, _ body: SocialShareRequest? = nil, idempotencyKey: String? = nil) async throws
        -> SocialShareAnswer
    {
        try await client.value(
            Call(
                .post, ["social", "post", postId, "share"], repetition: .withKey(idempotencyKey), body: .optional(body))
        )
    }

    /// Upload a file.
    ///
    /// - Parameters:
    ///   - progress: Called with the number of bytes sent so far, and of all bytes if known.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func media(
        file: UploadFile, thumbnail: UploadFile? = nil, progress: UploadProgress? = nil, idempotencyKey: String? = nil
    ) async throws -> SocialMediaAnswer {
        try await client.value(
            Call(
                .post, ["social", "media"], repetition: .withKey(idempotencyKey),
                body: .form([.file("file", file), .file("thumbnail", thumbnail)], progress)))
    }
}
