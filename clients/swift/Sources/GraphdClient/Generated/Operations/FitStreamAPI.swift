// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Product API of FitStream.
public struct FitStreamAPI: Sendable {
    let client: GraphdClient

    /// Sign up.
    @discardableResult
    public func signUp(_ body: FitStreamSignUpRequest) async throws -> FitStreamUser {
        try await client.value(Call(.post, ["fitstream", "auth", "signup"], body: .json(body), authorization: .none))
    }

    /// Log in.
    @discardableResult
    public func logIn(_ body: FitStreamLogInRequest) async throws -> FitStreamUser {
        try await client.value(Call(.post, ["fitstream", "auth", "login"], body: .json(body), authorization: .none))
    }

    /// Log out.
    public func logOut() async throws {
        try await client.perform(Call(.post, ["fitstream", "auth", "logout"]))
    }

    /// List videos of FitStream.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    ///   - workoutType: Letter case is ignored.
    ///   - difficulty: Letter case is ignored.
    ///   - muscleGroup: Letter case is ignored.
    ///   - query: Words to search for; the last may be a prefix.
    ///   - duration: `short` (under 10 minutes), `medium` (under 30 minutes), `long`, or a range in seconds.
    ///   - sort: The default is `recent`, or `relevance` with `q`.
    public func videos(
        limit: Int? = nil, startAfter: String? = nil, workoutType: String? = nil, difficulty: String? = nil,
        muscleGroup: String? = nil, query: String? = nil, duration: String? = nil, sort: FitStreamVideosSort? = nil
    ) async throws -> [FitStreamVideo] {
        try await client.value(
            Call(
                .get, ["fitstream", "videos"],
                query: [
                    .init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText),
                    .init("workoutType", workoutType?.queryText), .init("difficulty", difficulty?.queryText),
                    .init("muscleGroup", muscleGroup?.queryText), .init("q", query?.queryText),
                    .init("duration", duration?.queryText), .init("sort", sort?.queryText),
                ]))
    }

    /// Search for videos of FitStream.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    ///   - workoutType: Letter case is ignored.
    ///   - difficulty: Letter case is ignored.
    ///   - muscleGroup: Letter case is ignored.
    ///   - query: Words to search for; the last may be a prefix.
    ///   - duration: `short` (under 10 minutes), `medium` (under 30 minutes), `long`, or a range in seconds.
    ///   - sort: The default is `recent`, or `relevance` with `q`.
    public func search(
        limit: Int? = nil, startAfter: String? = nil, workoutType: String? = nil, difficulty: String? = nil,
        muscleGroup: String? = nil, query: String? = nil, duration: String? = nil, sort: FitStreamSearchSort? = nil
    ) async throws -> [FitStreamVideo] {
        try await client.value(
            Call(
                .get, ["fitstream", "search", "videos"],
                query: [
                    .init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText),
                    .init("workoutType", workoutType?.queryText), .init("difficulty", difficulty?.queryText),
                    .init("muscleGroup", muscleGroup?.queryText), .init("q", query?.queryText),
                    .init("duration", duration?.queryText), .init("sort", sort?.queryText),
                ]))
    }

    /// Get a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    public func video(videoId: String) async throws -> FitStreamVideo {
        try await client.value(Call(.get, ["fitstream", "videos", videoId]))
    }

    /// List the segments of a video, ordered by start.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    public func segments(videoId: String) async throws -> [VideoSegment] {
        try await client.value(Call(.get, ["fitstream", "videos", videoId, "segments"]))
    }

    /// Like a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func like(videoId: String, _ body: FitStreamLikeRequest? = nil) async throws -> FitStreamLikeAnswer {
        try await client.value(Call(.post, ["fitstream", "videos", videoId, "like"], body: .optional(body)))
    }

    /// Remove a like.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func unlike(videoId: String) async throws -> FitStreamUnlikeAnswer {
        try await client.value(Call(.delete, ["fitstream", "videos", videoId, "like"]))
    }

    /// Comment on a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func comment(videoId: String, _ body: FitStreamCommentRequest, idempotencyKey: String? = nil) async throws
        -> FitStreamComment
    {
        try await client.value(
            Call(
                .post, ["fitstream", "videos", videoId, "comment"], repetition: .withKey(idempotencyKey),
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
        -> [FitStreamComment]
    {
        try await client.value(
            Call(
                .get, ["fitstream", "videos", videoId, "comments"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Comment on a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func addComment(videoId: String, _ body: FitStreamAddCommentRequest, idempotencyKey: String? = nil)
        async throws -> FitStreamComment
    {
        try await client.value(
            Call(
                .post, ["fitstream", "videos", videoId, "comments"], repetition: .withKey(idempotencyKey),
                body: .json(body)))
    }

    /// Get a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func user(userId: String) async throws -> FitStreamUser {
        try await client.value(Call(.get, ["fitstream", "users", userId]))
    }

    /// Change the caller’s user document.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func changeUser(userId: String, _ body: FitStreamChangeUserRequest? = nil) async throws -> FitStreamUser {
        try await client.value(Call(.put, ["fitstream", "users", userId], body: .optional(body)))
    }

    /// Change the caller’s user document.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func patchUser(userId: String, _ body: FitStreamPatchUserRequest? = nil) async throws -> FitStreamUser {
        try await client.value(Call(.patch, ["fitstream", "users", userId], body: .optional(body)))
    }

    /// Save a video.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func saveVideo(userId: String, _ body: FitStreamSaveVideoRequest) async throws -> FitStreamUser {
        try await client.value(Call(.post, ["fitstream", "users", userId, "saveVideo"], body: .json(body)))
    }

    /// Remove a saved post.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - videoId: The video's id.
    @discardableResult
    public func unsaveVideo(userId: String, videoId: String) async throws -> FitStreamUser {
        try await client.value(Call(.delete, ["fitstream", "users", userId, "saveVideo", videoId]))
    }

    /// List the caller’s saved videos, newest first.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func savedVideos(userId: String, limit: Int? = nil, startAfter: String? = nil) async throws
        -> [FitStreamSavedVideo]
    {
        try await client.value(
            Call(
                .get, ["fitstream", "users", userId, "savedVideos"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// List the caller’s saved videos, newest first.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - limit: The maximum length of the list.
    ///   - startAfter: The header `X-Next-Cursor` of an earlier page; for lists by recency, the id of its last
    ///     video.
    public func favorites(userId: String, limit: Int? = nil, startAfter: String? = nil) async throws -> [FitStreamVideo]
    {
        try await client.value(
            Call(
                .get, ["fitstream", "users", userId, "favorites"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Save a video.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func addFavorite(userId: String, _ body: FitStreamAddFavoriteRequest) async throws -> FitStreamUser {
        try await client.value(Call(.post, ["fitstream", "users", userId, "favorites"], body: .json(body)))
    }

    /// Remove a saved post.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - videoId: The video's id.
    @discardableResult
    public func removeFavorite(userId: String, videoId: String) async throws -> FitStreamUser {
        try await client.value(Call(.delete, ["fitstream", "users", userId, "favorites", videoId]))
    }

    /// List the caller’s collections, newest first.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func collections(userId: String) async throws -> [PostCollection] {
        try await client.value(Call(.get, ["fitstream", "users", userId, "collections"]))
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
                .post, ["fitstream", "users", userId, "collections"], repetition: .withKey(idempotencyKey),
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
            Call(.patch, ["fitstream", "users", userId, "collections", collectionId], body: .json(body)))
    }

    /// Delete a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func deleteCollection(userId: String, collectionId: String) async throws -> FitStreamDeleteCollectionAnswer {
        try await client.value(Call(.delete, ["fitstream", "users", userId, "collections", collectionId]))
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
        async throws -> [FitStreamVideo]
    {
        try await client.value(
            Call(
                .get, ["fitstream", "users", userId, "collections", collectionId, "videos"],
                query: [.init("limit", limit?.queryText), .init("startAfter", startAfter?.queryText)]))
    }

    /// Add a video to a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func collect(userId: String, collectionId: String, _ body: FitStreamCollectRequest) async throws
        -> FitStreamCollectAnswer
    {
        try await client.value(
            Call(.post, ["fitstream", "users", userId, "collections", collectionId, "videos"], body: .json(body)))
    }

    /// Remove a video from a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    ///   - videoId: The video's id.
    @discardableResult
    public func uncollect(userId: String, collectionId: String, videoId: String) async throws
        -> FitStreamUncollectAnswer
    {
        try await client.value(
            Call(.delete, ["fitstream", "users", userId, "collections", collectionId, "videos", videoId]))
    }

    /// Reorder a collection.
    ///
    /// - Parameters:
    ///   - userId: The id of a user; must be the caller's, except for reading public data.
    ///   - collectionId: The collection's id.
    @discardableResult
    public func orderCollection(userId: String, collectionId: String, _ body: FitStreamOrderCollectionRequest)
        async throws -> FitStreamOrderCollectionAnswer
    {
        try await client.value(
            Call(.put, ["fitstream", "users", userId, "collections", collectionId, "order"], body: .json(body)))
    }

    /// Find the time in a video that a command means.
    @discardableResult
    public func workoutJump(_ body: FitStreamWorkoutJumpRequest) async throws -> FitStreamWorkoutJumpAnswer {
        try await client.value(Call(.post, ["fitstream", "ai", "workoutJump"], body: .json(body)))
    }

    /// List recommended videos, best first.
    ///
    /// - Parameters:
    ///   - userId: The caller’s user id.
    ///   - limit: The maximum length of the list.
    public func recommendations(userId: String, limit: Int? = nil) async throws -> FitStreamRecommendationsAnswer {
        try await client.value(
            Call(
                .get, ["fitstream", "ai", "recommendations"],
                query: [.init("user_id", userId.queryText), .init("limit", limit?.queryText)]))
    }
}
