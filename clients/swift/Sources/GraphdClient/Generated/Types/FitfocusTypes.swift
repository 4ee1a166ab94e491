// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct FitFocusAddCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }
}

public struct FitFocusAddFavoriteRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct FitFocusChangeUserRequest: Codable, Hashable, Sendable {
    /// Required to change `email`.
    public var currentPassword: String?
    public var displayName: String?
    public var email: String?
    public var profilePicUrl: String?
    public var preferences: [String: JSONValue]?

    public init(
        currentPassword: String? = nil, displayName: String? = nil, email: String? = nil, profilePicUrl: String? = nil,
        preferences: [String: JSONValue]? = nil
    ) {
        self.currentPassword = currentPassword
        self.displayName = displayName
        self.email = email
        self.profilePicUrl = profilePicUrl
        self.preferences = preferences
    }
}

public struct FitFocusCollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitFocusCollectRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct FitFocusComment: Codable, Hashable, Sendable {
    public var commentId: String
    public var userId: String?
    public var text: String?
    public var timestamp: Date

    public init(commentId: String, timestamp: Date, userId: String? = nil, text: String? = nil) {
        self.commentId = commentId
        self.userId = userId
        self.text = text
        self.timestamp = timestamp
    }
}

public struct FitFocusCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }
}

public struct FitFocusDeleteCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitFocusLikeAnswer: Codable, Hashable, Sendable {
    public var status: String
    public var message: String
    public var likesCount: Int

    public init(status: String, message: String, likesCount: Int) {
        self.status = status
        self.message = message
        self.likesCount = likesCount
    }
}

public struct FitFocusLikeRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }
}

public struct FitFocusLogInRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct FitFocusOrderCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitFocusOrderCollectionRequest: Codable, Hashable, Sendable {
    public var videoIds: [String]

    public init(videoIds: [String]) {
        self.videoIds = videoIds
    }
}

public struct FitFocusPatchUserRequest: Codable, Hashable, Sendable {
    /// Required to change `email`.
    public var currentPassword: String?
    public var displayName: String?
    public var email: String?
    public var profilePicUrl: String?
    public var preferences: [String: JSONValue]?

    public init(
        currentPassword: String? = nil, displayName: String? = nil, email: String? = nil, profilePicUrl: String? = nil,
        preferences: [String: JSONValue]? = nil
    ) {
        self.currentPassword = currentPassword
        self.displayName = displayName
        self.email = email
        self.profilePicUrl = profilePicUrl
        self.preferences = preferences
    }
}

public struct FitFocusRecommendationsAnswer: Codable, Hashable, Sendable {
    public var recommendations: [RecommendedVideo]

    public init(recommendations: [RecommendedVideo]) {
        self.recommendations = recommendations
    }
}

public struct FitFocusSaveVideoRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }
}

public struct FitFocusSavedVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var savedAt: Date

    public init(videoId: String, savedAt: Date) {
        self.videoId = videoId
        self.savedAt = savedAt
    }
}

public struct FitFocusSearchSegmentAnswer: Codable, Hashable, Sendable {
    public var segmentId: String?
    public var startTime: Double
    public var endTime: Double

    public init(startTime: Double, endTime: Double, segmentId: String? = nil) {
        self.segmentId = segmentId
        self.startTime = startTime
        self.endTime = endTime
    }
}

public struct FitFocusSearchSegmentRequest: Codable, Hashable, Sendable {
    public var videoId: String
    public var userQuery: String

    public init(videoId: String, userQuery: String) {
        self.videoId = videoId
        self.userQuery = userQuery
    }
}

/// One of the known values, or one that a later server has added.
public struct FitFocusSearchSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}

public struct FitFocusSignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var displayName: String?
    public var username: String?
    public var profilePicUrl: String?
    public var preferences: [String: JSONValue]?

    public init(
        email: String, password: String, displayName: String? = nil, username: String? = nil,
        profilePicUrl: String? = nil, preferences: [String: JSONValue]? = nil
    ) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.username = username
        self.profilePicUrl = profilePicUrl
        self.preferences = preferences
    }
}

public struct FitFocusUncollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitFocusUnlikeAnswer: Codable, Hashable, Sendable {
    public var status: String
    public var message: String
    public var likesCount: Int

    public init(status: String, message: String, likesCount: Int) {
        self.status = status
        self.message = message
        self.likesCount = likesCount
    }
}

/// A user. Private fields are null for other users.
public struct FitFocusUser: Codable, Hashable, Sendable {
    public var userId: String
    public var displayName: String
    public var email: String?
    public var profilePicUrl: String?
    public var createdAt: Date
    public var preferences: FitFocusUserPreferences?
    public var status: String?
    public var token: String?

    public init(
        userId: String, displayName: String, createdAt: Date, email: String? = nil, profilePicUrl: String? = nil,
        preferences: FitFocusUserPreferences? = nil, status: String? = nil, token: String? = nil
    ) {
        self.userId = userId
        self.displayName = displayName
        self.email = email
        self.profilePicUrl = profilePicUrl
        self.createdAt = createdAt
        self.preferences = preferences
        self.status = status
        self.token = token
    }
}

public struct FitFocusUserPreferences: Codable, Hashable, Sendable {
    public var primaryGoal: String?
    public var skillLevel: String?

    public init(primaryGoal: String? = nil, skillLevel: String? = nil) {
        self.primaryGoal = primaryGoal
        self.skillLevel = skillLevel
    }
}

public struct FitFocusVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var title: String?
    public var thumbnailUrl: String?
    public var videoUrl: String
    public var category: String?
    public var difficultyLevel: String?
    public var likesCount: Int
    public var commentsCount: Int
    public var createdAt: Date

    public init(
        videoId: String, videoUrl: String, likesCount: Int, commentsCount: Int, createdAt: Date, title: String? = nil,
        thumbnailUrl: String? = nil, category: String? = nil, difficultyLevel: String? = nil
    ) {
        self.videoId = videoId
        self.title = title
        self.thumbnailUrl = thumbnailUrl
        self.videoUrl = videoUrl
        self.category = category
        self.difficultyLevel = difficultyLevel
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.createdAt = createdAt
    }
}

/// One of the known values, or one that a later server has added.
public struct FitFocusVideosSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}
