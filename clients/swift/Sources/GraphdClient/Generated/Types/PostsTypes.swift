// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// The trend of the post's likes; `null` with fewer than 20 likes within two weeks. The interval of a post younger
/// than that is as wide as its history is short.
public struct BusinessData: Codable, Hashable, Sendable {
    public var trendRating: Double?
    public var confidenceInterval: String?

    public init(trendRating: Double? = nil, confidenceInterval: String? = nil) {
        self.trendRating = trendRating
        self.confidenceInterval = confidenceInterval
    }
}

public struct Counts: Codable, Hashable, Sendable {
    public var likesCount: Int
    public var commentsCount: Int
    public var sharesCount: Int

    public init(likesCount: Int, commentsCount: Int, sharesCount: Int) {
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.sharesCount = sharesCount
    }
}

public struct DeliveryReceipt: Codable, Hashable, Sendable {
    public var postId: String
    /// The authors and all their followers; a follower of two authors counts twice.
    public var audience: Int
    /// The number of these whose timeline has been updated.
    public var delivered: Int
    /// The number of these who follow a hub author and pull the post.
    public var pulled: Int
    /// Whether the delivery is still in progress.
    public var pending: Bool
    public var queuedAt: Date
    /// `null` while the delivery is in progress.
    public var finishedAt: Date?
    /// Milliseconds from `queuedAt` to `finishedAt`.
    public var timeToLastMs: Int?

    public init(
        postId: String, audience: Int, delivered: Int, pulled: Int, pending: Bool, queuedAt: Date,
        finishedAt: Date? = nil, timeToLastMs: Int? = nil
    ) {
        self.postId = postId
        self.audience = audience
        self.delivered = delivered
        self.pulled = pulled
        self.pending = pending
        self.queuedAt = queuedAt
        self.finishedAt = finishedAt
        self.timeToLastMs = timeToLastMs
    }
}

public struct ExternalShare: Codable, Hashable, Sendable {
    public var shareId: String
    public var postId: String
    public var userId: String
    public var platform: String
    public var createdAt: Date
    public var sharesCount: Int

    public init(shareId: String, postId: String, userId: String, platform: String, createdAt: Date, sharesCount: Int) {
        self.shareId = shareId
        self.postId = postId
        self.userId = userId
        self.platform = platform
        self.createdAt = createdAt
        self.sharesCount = sharesCount
    }
}

/// A post. It has `reasons` with `explain=true`, and `businessData` if it is ranked by trend or a business account
/// reads it as a single post.
public struct FeedItem: Codable, Hashable, Sendable {
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
    public var businessData: BusinessData?
    /// Present on posts found by similarity.
    public var similarity: Double?
    public var reasons: [Reason]?

    public init(
        postId: String, author: Author, caption: String, mediaUrl: String, algorithmTags: [String],
        collaborators: [Collaborator], visibility: PostVisibility, likesCount: Int, commentsCount: Int,
        attributes: [String: JSONValue], sharesCount: Int, createdAt: Date, updatedAt: Date, viewer: Viewer? = nil,
        title: String? = nil, thumbnailUrl: String? = nil, renditions: [Rendition]? = nil, category: String? = nil,
        link: String? = nil, communityId: String? = nil, businessData: BusinessData? = nil, similarity: Double? = nil,
        reasons: [Reason]? = nil
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
        self.businessData = businessData
        self.similarity = similarity
        self.reasons = reasons
    }
}

public struct NewPost: Codable, Hashable, Sendable {
    public var caption: String
    /// Required unless `mediaId` is given.
    public var mediaUrl: String?
    /// A file that the author has uploaded, in place of `mediaUrl`. The post takes over its URL, its poster unless
    /// there is a `thumbnailUrl`, and the attributes `duration`, `width`, `height` and `codec` of a video.
    public var mediaId: String?
    public var title: String?
    public var thumbnailUrl: String?
    /// Attributes by which the products distinguish videos. `workoutType`, `difficulty`, `difficultyLevel`,
    /// `muscleGroup` and `cuisineType` are strings; `duration` (seconds), `cookingTime` (minutes), `servings` and
    /// `calories` are numbers; `equipment` and `ingredients` are arrays of strings. Other names may have any of
    /// these types, or a boolean.
    public var attributes: [String: JSONValue]?
    public var category: String?
    /// At most 30, counted before duplicates are removed.
    public var algorithmTags: [String]?
    /// Ids of existing users other than the author; at most 20, counted before duplicates are removed.
    public var collaborators: [String]?
    public var link: String?
    /// `followers`: only the authors and their followers see the post.
    public var visibility: PostVisibility?
    /// The community to post in. The author must be a member.
    public var communityId: String?

    public init(
        caption: String, mediaUrl: String? = nil, mediaId: String? = nil, title: String? = nil,
        thumbnailUrl: String? = nil, attributes: [String: JSONValue]? = nil, category: String? = nil,
        algorithmTags: [String]? = nil, collaborators: [String]? = nil, link: String? = nil,
        visibility: PostVisibility? = nil, communityId: String? = nil
    ) {
        self.caption = caption
        self.mediaUrl = mediaUrl
        self.mediaId = mediaId
        self.title = title
        self.thumbnailUrl = thumbnailUrl
        self.attributes = attributes
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
        self.visibility = visibility
        self.communityId = communityId
    }
}

public struct NewShare: Codable, Hashable, Sendable {
    public var platform: String

    public init(platform: String) {
        self.platform = platform
    }
}

public struct NewWatch: Codable, Hashable, Sendable {
    /// The position in the video, in seconds.
    public var seconds: Double
    /// Whether the video was watched to the end.
    public var completed: Bool?

    public init(seconds: Double, completed: Bool? = nil) {
        self.seconds = seconds
        self.completed = completed
    }
}

public struct PostEdit: Codable, Hashable, Sendable {
    public var caption: String?
    public var title: Change<String>?
    public var link: Change<String>?
    public var thumbnailUrl: Change<String>?

    public init(
        caption: String? = nil, title: Change<String>? = nil, link: Change<String>? = nil,
        thumbnailUrl: Change<String>? = nil
    ) {
        self.caption = caption
        self.title = title
        self.link = link
        self.thumbnailUrl = thumbnailUrl
    }
}

public struct Reason: Codable, Hashable, Sendable {
    public var kind: ReasonKind
    /// Present for `follows`, `collaborator` and `reshare`.
    public var userId: String?
    /// Present for `follows`, `collaborator` and `reshare`.
    public var username: String?
    /// Present for `topic`.
    public var topic: String?
    /// Present for `community`.
    public var communityId: String?
    /// Present for `community`.
    public var name: String?
    /// Present for `algorithm`.
    public var tag: String?
    /// Present for `category`.
    public var category: String?
    /// Present for `trending` and `business_trend`.
    public var window: String?

    public init(
        kind: ReasonKind, userId: String? = nil, username: String? = nil, topic: String? = nil,
        communityId: String? = nil, name: String? = nil, tag: String? = nil, category: String? = nil,
        window: String? = nil
    ) {
        self.kind = kind
        self.userId = userId
        self.username = username
        self.topic = topic
        self.communityId = communityId
        self.name = name
        self.tag = tag
        self.category = category
        self.window = window
    }
}

/// One of the known values, or one that a later server has added.
public struct ReasonKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let own = Self(rawValue: "own")
    public static let follows = Self(rawValue: "follows")
    public static let collaborator = Self(rawValue: "collaborator")
    public static let reshare = Self(rawValue: "reshare")
    public static let topic = Self(rawValue: "topic")
    public static let community = Self(rawValue: "community")
    public static let algorithm = Self(rawValue: "algorithm")
    public static let category = Self(rawValue: "category")
    public static let `public` = Self(rawValue: "public")
    public static let trending = Self(rawValue: "trending")
    public static let businessTrend = Self(rawValue: "business_trend")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .own, .follows, .collaborator, .reshare, .topic, .community, .algorithm, .category, .public, .trending,
        .businessTrend,
    ]
}
