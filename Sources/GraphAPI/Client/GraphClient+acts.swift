import Foundation

/// Actions of users other than posting and reading. All of them are idempotent except the creation of a community.
extension GraphClient {
    /// `PUT /v1/users/{id}/follow`
    public func follow(_ userId: String) async throws { try await send("PUT", "/v1/users/\(userId)/follow") }

    /// `DELETE /v1/users/{id}/follow`
    public func unfollow(_ userId: String) async throws { try await send("DELETE", "/v1/users/\(userId)/follow") }

    /// `PUT /v1/users/{id}/block`
    public func block(_ userId: String) async throws { try await send("PUT", "/v1/users/\(userId)/block") }

    /// `DELETE /v1/users/{id}/block`
    public func unblock(_ userId: String) async throws { try await send("DELETE", "/v1/users/\(userId)/block") }

    /// `PUT /v1/users/{id}/mute`; `kinds` nil: everything.
    public func mute(_ userId: String, _ kinds: MuteDraft? = nil) async throws {
        try await send("PUT", "/v1/users/\(userId)/mute", body: kinds)
    }

    /// `DELETE /v1/users/{id}/mute`
    public func unmute(_ userId: String) async throws { try await send("DELETE", "/v1/users/\(userId)/mute") }

    /// `PUT /v1/posts/{id}/reshare`
    public func reshare(_ postId: String) async throws { try await send("PUT", "/v1/posts/\(postId)/reshare") }

    /// `DELETE /v1/posts/{id}/reshare`
    public func unreshare(_ postId: String) async throws { try await send("DELETE", "/v1/posts/\(postId)/reshare") }

    /// `PUT /v1/topics/{name}/follow`
    public func followTopic(_ name: String, inHome: Bool = true) async throws {
        try await send("PUT", "/v1/topics/\(Self.pathSegment(name))/follow", body: HomeSwitch(inHome: inHome))
    }

    /// `DELETE /v1/topics/{name}/follow`
    public func unfollowTopic(_ name: String) async throws {
        try await send("DELETE", "/v1/topics/\(Self.pathSegment(name))/follow")
    }

    /// `PATCH /v1/me`
    @discardableResult
    public func changePreferences(_ preferences: PreferencesDraft) async throws -> UserAnswer {
        try await send("PATCH", "/v1/me", body: preferences, answer: UserAnswer.self)
    }

    /// `POST /v1/communities`
    public func createCommunity(_ community: CommunityDraft) async throws -> CommunityAnswer {
        try await send("POST", "/v1/communities", body: community, answer: CommunityAnswer.self)
    }

    /// `GET /v1/communities/{id}`
    public func community(_ communityId: String) async throws -> CommunityAnswer {
        try await send("GET", "/v1/communities/\(communityId)", answer: CommunityAnswer.self)
    }

    /// `POST /v1/communities/{id}/join`
    public func joinCommunity(_ communityId: String) async throws {
        try await send("POST", "/v1/communities/\(communityId)/join")
    }

    /// `POST /v1/communities/{id}/leave`
    public func leaveCommunity(_ communityId: String) async throws {
        try await send("POST", "/v1/communities/\(communityId)/leave")
    }

    /// `GET /v1/posts/{id}/delivery`, for its authors.
    public func delivery(of postId: String) async throws -> DeliveryAnswer {
        try await send("GET", "/v1/posts/\(postId)/delivery", answer: DeliveryAnswer.self)
    }

    private static func pathSegment(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
