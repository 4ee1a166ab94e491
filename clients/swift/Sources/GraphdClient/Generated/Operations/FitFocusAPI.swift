// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Product API of FitFocus.
public struct FitFocusAPI: Sendable {
    let client: GraphdClient

    /// Sign up.
    @discardableResult
    public func signUp(_ body: FitFocusSignUpRequest) async throws -> FitFocusUser {
        try await client.value(Call(.post, ["fitfocus", "auth", "signup"], body: .json(body), authorization: .none))
    }

    /// Log in.
    @discardableResult
    public func logIn(_ body: FitFocusLogInRequest) async throws -> FitFocusUser {
        try await client.value(Call(.post, ["fitfocus", "auth", "login"], body: .json(body), authorization: .none))
    }

    /// Log out.
    public func logOut() async throws {
        try await client.perform(Call(.post, ["fitfocus", "auth", "logout"]))
    }

    /// List videos of FitFocus.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    ///   - category: Letter case is ignored.
    ///   - difficultyLevel: Letter case is ignored.
    ///   - muscleGroup: Letter case is ignored.
    ///   - query: Words to search for; the last may be a prefix.
    ///   - duration: `short` (under 10 minutes), `medium` (under 30 minutes), `long`, or a range in seconds.
    ///   - sort: The default is `recent`, or `relevance` with `q`.
    public func videos(
        limit: Int? = nil, startAfter: String? = nil, category: String? = nil, difficultyLevel: String? = nil,
        muscleGroup: String? = nil, query: String? = nil, duration: String? = nil, sort: FitFocusVideosSort? = nil
    ) async throws -> [FitFocusVideo] {
        try await client.value(
            Call(
                .get, ["fitfocus", "videos"],
                query: [
                    .init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText),
                    .init("category", category?.queryText), .init("difficultyLevel", difficultyLevel?.queryText),
                    .init("muscleGroup", muscleGroup?.queryText), .init("q", query?.queryText),
                    .init("duration", duration?.queryText), .init("sort", sort?.queryText),
                ]))
    }

    /// Search for videos of FitFocus.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    ///   - category: Letter case is ignored.
    ///   - difficultyLevel: Letter case is ignored.
    ///   - muscleGroup: Letter case is ignored.
    ///   - query: Words to search for; the last may be a prefix.
    ///   - duration: `short` (under 10 minutes), `medium` (under 30 minutes), `long`, or a range in seconds.
    ///   - sort: The default is `recent`, or `relevance` with `q`.
    public func search(
        limit: Int? = nil, startAfter: String? = nil, category: String? = nil, difficultyLevel: String? = nil,
        muscleGroup: String? = nil, query: String? = nil, duration: String? = nil, sort: FitFocusSearchSort? = nil
    ) async throws -> [FitFocusVideo] {
        try await client.value(
            Call(
                .get, ["fitfocus", "search", "videos"],
                query: [
                    .init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText),
                    .init("category", category?.queryText), .init("difficultyLevel", difficultyLevel?.queryText),
                    .init("muscleGroup", muscleGroup?.queryText), .init("q", query?.queryText),
                    .init("duration", duration?.queryText), .init("sort", sort?.queryText),
                ]))
    }

    /// Get a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    public func video(videoId: String) async throws -> FitFocusVideo {
        try await client.value(Call(.get, ["fitfocus", "videos", videoId]))
    }

    /// List the segments of a video, ordered by start.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    public func segments(videoId: String) async throws -> [VideoSegment] {
        try await client.value(Call(.get, ["fitfocus", "videos", videoId, "segments"]))
    }

    /// Like a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func like(videoId: String, _ body: FitFocusLikeRequest? = nil) async throws -> FitFocusLikeAnswer {
        try await client.value(Call(.post, ["fitfocus", "videos", videoId, "like"], body: .optional(body)))
    }

    /// Remove a like.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func unlike(videoId: String) async throws -> FitFocusUnlikeAnswer {
        try await client.value(Call(.delete, ["fitfocus", "videos", videoId, "like"]))
    }

    /// Comment on a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func comment(videoId: String, _ body: FitFocusCommentRequest, idempotencyKey: String? = nil) async throws
        -> FitFocusComment
    {
        try await client.value(
            Call(
                .post, ["fitfocus", "videos", videoId, "comment"], repetition: .withKey(idempotencyKey),
                body: .json(body)))
    }

    /// List comments on a video, oldest first.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func comments(videoId: String, limit: Int? = nil, startAfter: String? = nil) async throws
        -> [FitFocusComment]
    {
        try await client.value(
            Call(
                .get, ["fitfocus", "videos", videoId, "comments"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Comment on a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func addComment(videoId: String, _ body: FitFocusAddCommentRequest, idempotencyKey: String? = nil)
        async throws -> FitFocusComment
    {
        try await client.value(
            Call(
                .post, ["fitfocus", "videos", videoId, "comments"], repetition: .withKey(idempotencyKey),
                body: .json(body)))
    }

    /// Get a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func user(userId: String) async throws -> FitFocusUser {
        try await client.value(Call(.get, ["fitfocus", "users", userId]))
    }

    /// Change the caller’s user document.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func changeUser(userId: String, _ body: FitFocusChangeUserRequest? = nil) async throws -> FitFocusUser {
        try await client.value(Call(.put, ["fitfocus", "users", userId], body: .optional(body)))
    }

    /// Change the caller’s user document.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func patchUser(userId: String, _ body: FitFocusPatchUserRequest? = nil) async throws -> FitFocusUser {
        try await client.value(Call(.patch, ["fitfocus", "users", userId], body: .optional(body)))
    }

    /// Save a video.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func saveVideo(userId: String, _ body: FitFocusSaveVideoRequest) async throws -> FitFocusUser {
        try await client.value(Call(.post, ["fitfocus", "users", userId, "saveVideo"], body: .json(body)))
    }

    /// Remove a saved post.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - videoId: The video's id.
    @discardableResult
    public func unsaveVideo(userId: String, videoId: String) async throws -> FitFocusUser {
        try await client.value(Call(.delete, ["fitfocus", "users", userId, "saveVideo", videoId]))
    }

    /// List the caller’s saved videos, newest first.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func savedVideos(userId: String, limit: Int? = nil, startAfter: String? = nil) async throws
        -> [FitFocusSavedVideo]
    {
        try await client.value(
            Call(
                .get, ["fitfocus", "users", userId, "savedVideos"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// List the caller’s saved videos, newest first.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func favorites(userId: String, limit: Int? = nil, startAfter: String? = nil) async throws -> [FitFocusVideo]
    {
        try await client.value(
            Call(
                .get, ["fitfocus", "users", userId, "favorites"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Save a video.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func addFavorite(userId: String, _ body: FitFocusAddFavoriteRequest) async throws -> FitFocusUser {
        try await client.value(Call(.post, ["fitfocus", "users", userId, "favorites"], body: .json(body)))
    }

    /// Remove a saved post.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - videoId: The video's id.
    @discardableResult
    public func removeFavorite(userId: String, videoId: String) async throws -> FitFocusUser {
        try await client.value(Call(.delete, ["fitfocus", "users", userId, "favorites", videoId]))
    }

    /// List the caller’s collections, newest first.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func collections(userId: String) async throws -> [PostCollection] {
        try await client.value(Call(.get, ["fitfocus", "users", userId, "collections"]))
    }

    /// Create a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func createCollection(userId: String, _ body: NewCollection, idempotencyKey: String? = nil) async throws
        -> PostCollection
    {
        try await client.value(
            Call(
                .post, ["fitfocus", "users", userId, "collections"], repetition: .withKey(idempotencyKey),
                body: .json(body)))
    }

    /// Rename a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func renameCollection(userId: String, collectionId: String, _ body: NewCollection) async throws
        -> PostCollection
    {
        try await client.value(
            Call(.patch, ["fitfocus", "users", userId, "collections", collectionId], body: .json(body)))
    }

    /// Delete a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func deleteCollection(userId: String, collectionId: String) async throws -> FitFocusDeleteCollectionAnswer {
        try await client.value(Call(.delete, ["fitfocus", "users", userId, "collections", collectionId]))
    }

    /// List videos of a collection, in its order.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func collectionVideos(userId: String, collectionId: String, limit: Int? = nil, startAfter: String? = nil)
        async throws -> [FitFocusVideo]
    {
        try await client.value(
            Call(
                .get, ["fitfocus", "users", userId, "collections", collectionId, "videos"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Add a video to a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func collect(userId: String, collectionId: String, _ body: FitFocusCollectRequest) async throws
        -> FitFocusCollectAnswer
    {
        try await client.value(
            Call(.post, ["fitfocus", "users", userId, "collections", collectionId, "videos"], body: .json(body)))
    }

    /// Remove a video from a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    ///   - videoId: The video's id.
    @discardableResult
    public func uncollect(userId: String, collectionId: String, videoId: String) async throws -> FitFocusUncollectAnswer
    {
        try await client.value(
            Call(.delete, ["fitfocus", "users", userId, "collections", collectionId, "videos", videoId]))
    }

    /// Reorder a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func orderCollection(userId: String, collectionId: String, _ body: FitFocusOrderCollectionRequest)
        async throws -> FitFocusOrderCollectionAnswer
    {
        try await client.value(
            Call(.put, ["fitfocus", "users", userId, "collections", collectionId, "order"], body: .json(body)))
    }

    /// Find the segment of a video that a query means.
    @discardableResult
    public func searchSegment(_ body: FitFocusSearchSegmentRequest) async throws -> FitFocusSearchSegmentAnswer {
        try await client.value(Call(.post, ["fitfocus", "smartScan", "searchSegment"], body: .json(body)))
    }

    /// List recommended videos, best first.
    ///
    /// - Parameters:
    ///   - userId: The caller’s user id.
    ///   - limit: The maximum length of the list.
    public func recommendations(userId: String, limit: Int? = nil) async throws -> FitFocusRecommendationsAnswer {
        try await client.value(
            Call(
                .get, ["fitfocus", "recommendations"],
                query: [.init("userId", userId.queryText), .init("limit", limit?.queryText)]))
    }
}
