// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Product API of VistaVid.
public struct VistaVidAPI: Sendable {
    let client: GraphdClient

    /// Sign up.
    @discardableResult
    public func signUp(_ body: VistaVidSignUpRequest) async throws -> VistaVidSignUpAnswer {
        try await client.value(Call(.post, ["vistavid", "auth", "signup"], body: .json(body), authorization: .none))
    }

    /// Log in.
    @discardableResult
    public func logIn(_ body: VistaVidLogInRequest) async throws -> VistaVidLogInAnswer {
        try await client.value(Call(.post, ["vistavid", "auth", "login"], body: .json(body), authorization: .none))
    }

    /// List all public videos, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list; the default is ten.
    ///   - lastVisible: The `lastVisible` of an earlier page.
    ///   - algorithmFilter: Algorithm tags, separated by commas; videos with any of them match. `Business Trends`,
    ///     for business accounts, ranks by trend.
    public func videos(limit: Int? = nil, lastVisible: String? = nil, algorithmFilter: String? = nil) async throws
        -> VistaVidVideoPage
    {
        try await client.value(
            Call(
                .get, ["vistavid", "videos"],
                query: [
                    .init("limit", limit?.queryText), .init("lastVisible", lastVisible?.queryText),
                    .init("algorithmFilter", algorithmFilter?.queryText),
                ]))
    }

    /// Upload a video.
    ///
    /// - Parameters:
    ///   - progress: Called with the number of bytes sent so far, and of all bytes if known.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func upload(
        videoFile: UploadFile, description: String, thumbnail: UploadFile? = nil, algorithmTags: String? = nil,
        progress: UploadProgress? = nil, idempotencyKey: String? = nil
    ) async throws -> VistaVidUploadAnswer {
        try await client.value(
            Call(
                .post, ["vistavid", "video", "upload"], repetition: .withKey(idempotencyKey),
                body: .form(
                    [
                        .file("videoFile", videoFile), .field("description", description.queryText),
                        .file("thumbnail", thumbnail), .field("algorithmTags", algorithmTags?.queryText),
                    ], progress)))
    }

    /// Get a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    public func video(videoId: String) async throws -> VistaVidVideo {
        try await client.value(Call(.get, ["vistavid", "video", videoId]))
    }

    /// Like a video.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func like(videoId: String, _ body: VistaVidLikeRequest? = nil) async throws -> VistaVidLikeAnswer {
        try await client.value(Call(.post, ["vistavid", "video", videoId, "like"], body: .optional(body)))
    }

    /// Remove a like.
    ///
    /// - Parameter videoId: The id of the video, which is that of its post.
    @discardableResult
    public func unlike(videoId: String) async throws -> VistaVidUnlikeAnswer {
        try await client.value(Call(.delete, ["vistavid", "video", videoId, "like"]))
    }

    /// Comment on a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func comment(videoId: String, _ body: VistaVidCommentRequest, idempotencyKey: String? = nil) async throws
        -> VistaVidCommentAnswer
    {
        try await client.value(
            Call(
                .post, ["vistavid", "video", videoId, "comment"], repetition: .withKey(idempotencyKey),
                body: .json(body)))
    }

    /// List comments on a video, newest first.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - limit: The maximum length of the list; the default is ten.
    ///   - lastVisible: The `lastVisible` of an earlier page.
    public func comments(videoId: String, limit: Int? = nil, lastVisible: String? = nil) async throws
        -> VistaVidCommentsAnswer
    {
        try await client.value(
            Call(
                .get, ["vistavid", "video", videoId, "comments"],
                query: [.init("limit", limit?.queryText), .init("lastVisible", lastVisible?.queryText)]))
    }

    /// Share a video.
    ///
    /// - Parameters:
    ///   - videoId: The id of the video, which is that of its post.
    ///   - idempotencyKey: A name for this act, so that a request with the same key has no second effect. Without
    ///     one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func share(videoId: String, _ body: VistaVidShareRequest? = nil, idempotencyKey: String? = nil) async throws
        -> VistaVidShareAnswer
    {
        try await client.value(
            Call(
                .post, ["vistavid", "video", videoId, "share"], repetition: .withKey(idempotencyKey),
                body: .optional(body)))
    }

    /// Get a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    public func user(userId: String) async throws -> VistaVidUser {
        try await client.value(Call(.get, ["vistavid", "user", userId]))
    }

    /// Follow a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func follow(userId: String, _ body: VistaVidFollowRequest? = nil) async throws -> VistaVidFollowAnswer {
        try await client.value(Call(.post, ["vistavid", "user", userId, "follow"], body: .optional(body)))
    }

    /// Unfollow a user.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func unfollow(userId: String, _ body: VistaVidUnfollowRequest? = nil) async throws -> VistaVidUnfollowAnswer
    {
        try await client.value(Call(.post, ["vistavid", "user", userId, "unfollow"], body: .optional(body)))
    }

    /// Change the caller’s settings.
    ///
    /// - Parameter userId: The id of a user; must be the caller's, except for reading public data.
    @discardableResult
    public func settings(userId: String, _ body: VistaVidSettingsRequest? = nil) async throws -> VistaVidSettingsAnswer
    {
        try await client.value(Call(.put, ["vistavid", "user", userId, "settings"], body: .optional(body)))
    }

    /// List communities, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the list, which the contract does not divide into pages.
    ///   - lastVisible: The `lastVisible` of an earlier page.
    public func communities(limit: Int? = nil, lastVisible: String? = nil) async throws -> VistaVidCommunitiesAnswer {
        try await client.value(
            Call(
                .get, ["vistavid", "communities"],
                query: [.init("limit", limit?.queryText), .init("lastVisible", lastVisible?.queryText)]))
    }

    /// Create a community.
    ///
    /// - Parameter idempotencyKey: A name for this act, so that a request with the same key has no second effect.
    ///   Without one, the client draws a key for the call and its repetitions.
    @discardableResult
    public func createCommunity(_ body: VistaVidCreateCommunityRequest, idempotencyKey: String? = nil) async throws
        -> VistaVidCreateCommunityAnswer
    {
        try await client.value(
            Call(.post, ["vistavid", "communities"], repetition: .withKey(idempotencyKey), body: .json(body)))
    }

    /// Get a community.
    ///
    /// - Parameter communityId: The community's id.
    public func community(communityId: String) async throws -> VistaVidCommunity {
        try await client.value(Call(.get, ["vistavid", "communities", communityId]))
    }

    /// List videos of a community, newest first.
    ///
    /// - Parameters:
    ///   - communityId: The community's id.
    ///   - limit: The maximum length of the list; the default is ten.
    ///   - lastVisible: The `lastVisible` of an earlier page.
    ///   - algorithmFilter: Algorithm tags, separated by commas; videos with any of them match.
    public func communityFeed(
        communityId: String, limit: Int? = nil, lastVisible: String? = nil, algorithmFilter: String? = nil
    ) async throws -> VistaVidVideoPage {
        try await client.value(
            Call(
                .get, ["vistavid", "communities", communityId, "feed"],
                query: [
                    .init("limit", limit?.queryText), .init("lastVisible", lastVisible?.queryText),
                    .init("algorithmFilter", algorithmFilter?.queryText),
                ]))
    }

    /// Join a community.
    ///
    /// - Parameter communityId: The community's id.
    @discardableResult
    public func join(communityId: String, _ body: VistaVidJoinRequest? = nil) async throws -> VistaVidJoinAnswer {
        try await client.value(Call(.post, ["vistavid", "communities", communityId, "join"], body: .optional(body)))
    }

    /// Leave a community.
    ///
    /// If the owner leaves, the oldest moderator, else the oldest member, becomes the owner.
    ///
    /// - Parameter communityId: The community's id.
    @discardableResult
    public func leave(communityId: String, _ body: VistaVidLeaveRequest? = nil) async throws -> VistaVidLeaveAnswer {
        try await client.value(Call(.post, ["vistavid", "communities", communityId, "leave"], body: .optional(body)))
    }
}
