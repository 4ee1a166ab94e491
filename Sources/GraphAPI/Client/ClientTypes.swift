/// The body of `POST /v1/posts`.
public struct PostDraft: Codable, Sendable {
    public var caption: String
    public var mediaUrl: String
    public var category: String?
    public var algorithmTags: [String]
    public var collaborators: [String]
    public var link: String?
    /// `public` or `followers`; nil: public.
    public var visibility: String?
    public var communityId: String?

    public init(
        caption: String, mediaUrl: String, category: String? = nil, algorithmTags: [String] = [],
        collaborators: [String] = [], link: String? = nil, visibility: String? = nil, communityId: String? = nil
    ) {
        self.caption = caption
        self.mediaUrl = mediaUrl
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
        self.visibility = visibility
        self.communityId = communityId
    }
}

/// A post by its id.
public struct PostReference: Codable, Sendable {
    public let postId: String
}

/// A page of a timeline.
public struct TimelineAnswer: Codable, Sendable {
    public let items: [PostReference]
    public let nextCursor: String?
}

/// The user of `GET /v1/me`.
public struct UserAnswer: Codable, Sendable {
    public let userId: String
    public let username: String
    public let followersCount: Int
    public let followingCount: Int
    public let postsCount: Int
    public let selectedAlgorithms: [String]
    public let homeTopics: Bool
    public let homeCommunities: Bool
}

/// The body of `PATCH /v1/me`; nil leaves a preference unchanged.
public struct PreferencesDraft: Codable, Sendable {
    public var selectedAlgorithms: [String]?
    public var homeTopics: Bool?
    public var homeCommunities: Bool?

    public init(selectedAlgorithms: [String]? = nil, homeTopics: Bool? = nil, homeCommunities: Bool? = nil) {
        self.selectedAlgorithms = selectedAlgorithms
        self.homeTopics = homeTopics
        self.homeCommunities = homeCommunities
    }
}

/// The body of `PUT /v1/users/{id}/mute`: the kinds to mute.
public struct MuteDraft: Codable, Sendable {
    public var posts: Bool
    public var reshares: Bool
    public var notifications: Bool

    public init(posts: Bool = false, reshares: Bool = false, notifications: Bool = false) {
        self.posts = posts
        self.reshares = reshares
        self.notifications = notifications
    }
}

/// A switch that merges a followed topic, or a joined community, into the home timeline.
public struct HomeSwitch: Codable, Sendable {
    public var inHome: Bool

    public init(inHome: Bool) { self.inHome = inHome }
}

/// The body of `POST /v1/communities`.
public struct CommunityDraft: Codable, Sendable {
    public var name: String
    public var description: String

    public init(name: String, description: String = "") {
        self.name = name
        self.description = description
    }
}

/// A community, as shown to the caller.
public struct CommunityAnswer: Codable, Sendable {
    public let communityId: String
    public let name: String
    public let description: String
    public let membersCount: Int
    public let role: String?
    public let inHome: Bool
}

/// The progress of a post's delivery.
public struct DeliveryAnswer: Codable, Sendable {
    public let postId: String
    public let audience: Int
    public let delivered: Int
    public let pulled: Int
    public let pending: Bool
    /// Milliseconds; nil while it is under way.
    public let timeToLastMs: Int?
}

/// The answer of `GET /readyz`.
public struct ReadinessAnswer: Codable, Sendable {
    public struct Outbox: Codable, Sendable {
        public let pending: Int
        public let oldestSeconds: Int
    }

    public struct Cluster: Codable, Sendable {
        public let masters: Int
        public let coldBuckets: Int
    }

    public struct Problem: Codable, Sendable {
        public let code: String
        public let detail: String
    }

    public let status: String
    // Nil unless the server accepts the caller as an operator.
    public let database: String?
    public let redis: String?
    // The state of each shard; nil if there is one.
    public let redisShards: [String]?
    // Nil unless a Redis Cluster has the windows.
    public let redisCluster: Cluster?
    public let outbox: Outbox?
    public let problems: [Problem]?
}
