/// The body of `POST /v1/posts`.
public struct PostDraft: Codable, Sendable {
    public var caption: String
    public var mediaUrl: String
    public var category: String?
    public var algorithmTags: [String]
    public var collaborators: [String]
    public var link: String?

    public init(
        caption: String, mediaUrl: String, category: String? = nil, algorithmTags: [String] = [],
        collaborators: [String] = [], link: String? = nil
    ) {
        self.caption = caption
        self.mediaUrl = mediaUrl
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
    }
}

/// Of a post, its id.
public struct PostReference: Codable, Sendable {
    public let postId: String
}

/// A page of a timeline.
public struct TimelineAnswer: Codable, Sendable {
    public let items: [PostReference]
    public let nextCursor: String?
}

/// A user as `GET /v1/me` shows them.
public struct UserAnswer: Codable, Sendable {
    public let userId: String
    public let username: String
    public let followersCount: Int
    public let followingCount: Int
    public let postsCount: Int
}

/// What `GET /readyz` says.
public struct ReadinessAnswer: Codable, Sendable {
    public struct Outbox: Codable, Sendable {
        public let pending: Int
        public let oldestSeconds: Int
    }

    public let status: String
    public let database: String
    public let redis: String
    public let outbox: Outbox
}
