// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Algorithm: Codable, Hashable, Sendable {
    public var name: String
    public var description: String
    public var inputs: [String]
    public var version: String

    public init(name: String, description: String, inputs: [String], version: String) {
        self.name = name
        self.description = description
        self.inputs = inputs
        self.version = version
    }
}

public struct AlgorithmList: Codable, Hashable, Sendable {
    public var algorithms: [Algorithm]

    public init(algorithms: [Algorithm]) {
        self.algorithms = algorithms
    }
}

public struct CommunityFeedPage: Codable, Hashable, Sendable {
    public var pinned: [Post]?
    public var items: [FeedItem]
    public var nextCursor: String?

    public init(items: [FeedItem], pinned: [Post]? = nil, nextCursor: String? = nil) {
        self.pinned = pinned
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct FeedPage: Codable, Hashable, Sendable {
    public var items: [FeedItem]
    public var nextCursor: String?

    public init(items: [FeedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct PostPage: Codable, Hashable, Sendable {
    public var items: [Post]
    public var nextCursor: String?

    public init(items: [Post], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct PublicPage: Codable, Hashable, Sendable {
    public var items: [FeedItem]
    /// The `cursor` of the next page; `null` only at the true end.
    public var nextCursor: String?

    public init(items: [FeedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct RankedPage: Codable, Hashable, Sendable {
    public var items: [FeedItem]
    /// The `cursor` of the next page; `null` only at the true end.
    public var nextCursor: String?

    public init(items: [FeedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct RecommendationReason: Codable, Hashable, Sendable {
    public var type: RecommendationReasonType
    /// Present for `liked`, `saved`, `commented`, `shared` and `watched`: the post that the caller acted on.
    public var postId: String?
    /// Present for `follows` and `author`.
    public var userId: String?
    /// Present for `preference`: the name of the preference.
    public var value: String?
    /// A text for the caller.
    public var text: String

    public init(
        type: RecommendationReasonType, text: String, postId: String? = nil, userId: String? = nil, value: String? = nil
    ) {
        self.type = type
        self.postId = postId
        self.userId = userId
        self.value = value
        self.text = text
    }
}

/// One of the known values, or one that a later server has added.
public struct RecommendationReasonType: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let liked = Self(rawValue: "liked")
    public static let saved = Self(rawValue: "saved")
    public static let commented = Self(rawValue: "commented")
    public static let shared = Self(rawValue: "shared")
    public static let watched = Self(rawValue: "watched")
    public static let follows = Self(rawValue: "follows")
    public static let author = Self(rawValue: "author")
    public static let preference = Self(rawValue: "preference")
    public static let popular = Self(rawValue: "popular")
    public static let new = Self(rawValue: "new")
    public static let `public` = Self(rawValue: "public")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .liked, .saved, .commented, .shared, .watched, .follows, .author, .preference, .popular, .new, .public,
    ]
}

/// A post with its score, and `reasons` with `explain=true`.
public struct RecommendedItem: Codable, Hashable, Sendable {
    public var postId: String
    public var author: Author
    public var viewer: Viewer?
    public var title: String?
    public var caption: String
    public var mediaUrl: String
    public var thumbnailUrl: String?
    /// Other forms of its file; absent if there are none.
    public var renditions: [Rendition]?
    public var category: String?
    public var algorithmTags: [String]
    public var collaborators: [Collaborator]
    public var link: String?
    public var visibility: PostVisibility
    public var communityId: String?
    public var likesCount: Int
    public var commentsCount: Int
    public var attributes: [String: JSONValue]
    public var sharesCount: Int
    public var createdAt: Date
    public var updatedAt: Date
    /// The score after deductions for diversity, rounded to ten-thousandths.
    public var score: Double
    public var reasons: [RecommendationReason]?

    public init(
        postId: String, author: Author, caption: String, mediaUrl: String, algorithmTags: [String],
        collaborators: [Collaborator], visibility: PostVisibility, likesCount: Int, commentsCount: Int,
        attributes: [String: JSONValue], sharesCount: Int, createdAt: Date, updatedAt: Date, score: Double,
        viewer: Viewer? = nil, title: String? = nil, thumbnailUrl: String? = nil, renditions: [Rendition]? = nil,
        category: String? = nil, link: String? = nil, communityId: String? = nil, reasons: [RecommendationReason]? = nil
    ) {
        self.postId = postId
        self.author = author
        self.viewer = viewer
        self.title = title
        self.caption = caption
        self.mediaUrl = mediaUrl
        self.thumbnailUrl = thumbnailUrl
        self.renditions = renditions
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
        self.visibility = visibility
        self.communityId = communityId
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.attributes = attributes
        self.sharesCount = sharesCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.score = score
        self.reasons = reasons
    }
}

public struct RecommendedPage: Codable, Hashable, Sendable {
    public var items: [RecommendedItem]
    /// The `cursor` of the next page; `null` only at the true end.
    public var nextCursor: String?

    public init(items: [RecommendedItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct Trend: Codable, Hashable, Sendable {
    public var name: String
    public var kind: TrendKind
    public var trendRating: Double?
    public var confidenceInterval: String?
    /// Likes, comments and shares in both periods.
    public var engagements: Int
    /// The number of public posts with engagement.
    public var posts: Int

    public init(
        name: String, kind: TrendKind, engagements: Int, posts: Int, trendRating: Double? = nil,
        confidenceInterval: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.trendRating = trendRating
        self.confidenceInterval = confidenceInterval
        self.engagements = engagements
        self.posts = posts
    }
}

/// One of the known values, or one that a later server has added.
public struct TrendKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let category = Self(rawValue: "category")
    public static let tag = Self(rawValue: "tag")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.category, .tag]
}

public struct TrendList: Codable, Hashable, Sendable {
    public var items: [Trend]

    public init(items: [Trend]) {
        self.items = items
    }
}

/// One of the known values, or one that a later server has added.
public struct TrendWindow: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let value24h = Self(rawValue: "24h")
    public static let value7d = Self(rawValue: "7d")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.value24h, .value7d]
}

/// One of the known values, or one that a later server has added.
public struct TrendingWindow: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let value1h = Self(rawValue: "1h")
    public static let value24h = Self(rawValue: "24h")
    public static let value7d = Self(rawValue: "7d")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.value1h, .value24h, .value7d]
}

public struct Verdict: Codable, Hashable, Sendable {
    public var visible: Bool
    public var reasons: [VerdictReason]

    public init(visible: Bool, reasons: [VerdictReason]) {
        self.visible = visible
        self.reasons = reasons
    }
}

public struct VerdictReason: Codable, Hashable, Sendable {
    /// A stable identifier.
    public var kind: String
    /// A text for people.
    public var text: String

    public init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }
}
