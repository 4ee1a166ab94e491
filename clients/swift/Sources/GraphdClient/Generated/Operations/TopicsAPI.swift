// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// Followed categories and tags.
public struct TopicsAPI: Sendable {
    let client: GraphdClient

    /// List topics that the caller follows, newest first.
    public func list() async throws -> FollowedTopics {
        try await client.value(Call(.get, ["v1", "me", "topics"]))
    }

    /// Follow a topic: the category and the tag of a name.
    ///
    /// Idempotent. Letter case is ignored, and the topic need not have posts yet. Without a body, the topic is
    /// merged into the home timeline.
    ///
    /// - Parameter name: The percent-encoded name; 1 to 64 characters after decoding.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `limitReached`,
    ///   `bodyTooLarge`, `tooLong`, `invalidValue`.
    public func follow(name: String, _ body: TopicFollow? = nil) async throws {
        try await client.perform(Call(.put, ["v1", "topics", name, "follow"], body: .optional(body)))
    }

    /// Unfollow a topic.
    ///
    /// Idempotent.
    ///
    /// - Parameter name: The percent-encoded name; 1 to 64 characters after decoding.
    /// - Throws: `APIError` with one of these codes, or one that any request may get: `tooLong`, `invalidValue`.
    public func unfollow(name: String) async throws {
        try await client.perform(Call(.delete, ["v1", "topics", name, "follow"]))
    }
}
