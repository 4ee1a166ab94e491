// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct ReelAIAddCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }
}

public struct ReelAIAddFavoriteRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct ReelAIChangeUserRequest: Codable, Hashable, Sendable {
    /// Required to change `email`.
    public var currentPassword: String?
    public var displayName: String?
    public var email: String?
    public var profilePictureUrl: String?
    public var skillLevel: String?
    public var favorites: [String]?
    public var preferredCuisines: [String]?
    public var cookingTime: Double?

    public init(
        currentPassword: String? = nil, displayName: String? = nil, email: String? = nil,
        profilePictureUrl: String? = nil, skillLevel: String? = nil, favorites: [String]? = nil,
        preferredCuisines: [String]? = nil, cookingTime: Double? = nil
    ) {
        self.currentPassword = currentPassword
        self.displayName = displayName
        self.email = email
        self.profilePictureUrl = profilePictureUrl
        self.skillLevel = skillLevel
        self.favorites = favorites
        self.preferredCuisines = preferredCuisines
        self.cookingTime = cookingTime
    }
}

public struct ReelAICollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct ReelAICollectRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct ReelAIComment: Codable, Hashable, Sendable {
    public var commentId: String
    public var userId: String?
    public var text: String?
    public var createdAt: Date

    public init(commentId: String, createdAt: Date, userId: String? = nil, text: String? = nil) {
        self.commentId = commentId
        self.userId = userId
        self.text = text
        self.createdAt = createdAt
    }
}

public struct ReelAICommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }
}

public struct ReelAIDeleteCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct ReelAILikeAnswer: Codable, Hashable, Sendable {
    public var status: String
    public var message: String
    public var likeCount: Int

    public init(status: String, message: String, likeCount: Int) {
        self.status = status
        self.message = message
        self.likeCount = likeCount
    }
}

public struct ReelAILikeRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }
}

public struct ReelAILogInRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct ReelAIOrderCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct ReelAIOrderCollectionRequest: Codable, Hashable, Sendable {
    public var videoIds: [String]

    public init(videoIds: [String]) {
        self.videoIds = videoIds
    }
}

public struct ReelAIPatchUserRequest: Codable, Hashable, Sendable {
    /// Required to change `email`.
    public var currentPassword: String?
    public var displayName: String?
    public var email: String?
    public var profilePictureUrl: String?
    public var skillLevel: String?
    public var favorites: [String]?
    public var preferredCuisines: [String]?
    public var cookingTime: Double?

    public init(
        currentPassword: String? = nil, displayName: String? = nil, email: String? = nil,
        profilePictureUrl: String? = nil, skillLevel: String? = nil, favorites: [String]? = nil,
        preferredCuisines: [String]? = nil, cookingTime: Double? = nil
    ) {
        self.currentPassword = currentPassword
        self.displayName = displayName
        self.email = email
        self.profilePictureUrl = profilePictureUrl
        self.skillLevel = skillLevel
        self.favorites = favorites
        self.preferredCuisines = preferredCuisines
        self.cookingTime = cookingTime
    }
}

public struct ReelAISaveVideoRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct ReelAISavedVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var title: String?
    public var description: String
    public var videoUrl: String
    public var thumbnailUrl: String?
    public var creatorName: String
    public var cuisineType: String?
    public var cookingTime: Double?
    public var likeCount: Int
    public var createdAt: Date
    public var aiSegments: [String: ReelAISavedVideoAiSegmentsValue]
    public var savedAt: Date

    public init(
        videoId: String, description: String, videoUrl: String, creatorName: String, likeCount: Int, createdAt: Date,
        aiSegments: [String: ReelAISavedVideoAiSegmentsValue], savedAt: Date, title: String? = nil,
        thumbnailUrl: String? = nil, cuisineType: String? = nil, cookingTime: Double? = nil
    ) {
        self.videoId = videoId
        self.title = title
        self.description = description
        self.videoUrl = videoUrl
        self.thumbnailUrl = thumbnailUrl
        self.creatorName = creatorName
        self.cuisineType = cuisineType
        self.cookingTime = cookingTime
        self.likeCount = likeCount
        self.createdAt = createdAt
        self.aiSegments = aiSegments
        self.savedAt = savedAt
    }
}

public struct ReelAISavedVideoAiSegmentsValue: Codable, Hashable, Sendable {
    public var start: Double
    public var end: Double

    public init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }
}

/// One of the known values, or one that a later server has added.
public struct ReelAISearchSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}

public struct ReelAISignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var displayName: String?
    public var username: String?
    public var profilePictureUrl: String?
    public var skillLevel: String?

    public init(
        email: String, password: String, displayName: String? = nil, username: String? = nil,
        profilePictureUrl: String? = nil, skillLevel: String? = nil
    ) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.username = username
        self.profilePictureUrl = profilePictureUrl
        self.skillLevel = skillLevel
    }
}

public struct ReelAISmartScanAnswer: Codable, Hashable, Sendable {
    public var segmentName: String?
    public var startTime: Double
    public var endTime: Double

    public init(startTime: Double, endTime: Double, segmentName: String? = nil) {
        self.segmentName = segmentName
        self.startTime = startTime
        self.endTime = endTime
    }
}

public struct ReelAISmartScanRequest: Codable, Hashable, Sendable {
    public var videoId: String
    public var query: String

    public init(videoId: String, query: String) {
        self.videoId = videoId
        self.query = query
    }
}

public struct ReelAIUncollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct ReelAIUnlikeAnswer: Codable, Hashable, Sendable {
    public var status: String
    public var message: String
    public var likeCount: Int

    public init(status: String, message: String, likeCount: Int) {
        self.status = status
        self.message = message
        self.likeCount = likeCount
    }
}

/// A user. Private fields are null for other users.
public struct ReelAIUser: Codable, Hashable, Sendable {
    public var uid: String
    public var displayName: String
    public var email: String?
    public var profilePictureUrl: String?
    public var skillLevel: String?
    public var favorites: [String]?
    public var status: String?
    public var token: String?

    public init(
        uid: String, displayName: String, email: String? = nil, profilePictureUrl: String? = nil,
        skillLevel: String? = nil, favorites: [String]? = nil, status: String? = nil, token: String? = nil
    ) {
        self.uid = uid
        self.displayName = displayName
        self.email = email
        self.profilePictureUrl = profilePictureUrl
        self.skillLevel = skillLevel
        self.favorites = favorites
        self.status = status
        self.token = token
    }
}

public struct ReelAIVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var title: String?
    public var description: String
    public var videoUrl: String
    public var thumbnailUrl: String?
    public var creatorName: String
    public var cuisineType: String?
    public var cookingTime: Double?
    public var likeCount: Int
    public var createdAt: Date
    public var aiSegments: [String: ReelAIVideoAiSegmentsValue]

    public init(
        videoId: String, description: String, videoUrl: String, creatorName: String, likeCount: Int, createdAt: Date,
        aiSegments: [String: ReelAIVideoAiSegmentsValue], title: String? = nil, thumbnailUrl: String? = nil,
        cuisineType: String? = nil, cookingTime: Double? = nil
    ) {
        self.videoId = videoId
        self.title = title
        self.description = description
        self.videoUrl = videoUrl
        self.thumbnailUrl = thumbnailUrl
        self.creatorName = creatorName
        self.cuisineType = cuisineType
        self.cookingTime = cookingTime
        self.likeCount = likeCount
        self.createdAt = createdAt
        self.aiSegments = aiSegments
    }
}

public struct ReelAIVideoAiSegmentsValue: Codable, Hashable, Sendable {
    public var start: Double
    public var end: Double

    public init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }
}

/// One of the known values, or one that a later server has added.
public struct ReelAIVideosSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}
