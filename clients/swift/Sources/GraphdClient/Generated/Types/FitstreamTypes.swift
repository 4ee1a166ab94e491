// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct FitStreamAddCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case userId = "user_id"
        case text
    }
}

public struct FitStreamAddFavoriteRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }

    private enum CodingKeys: String, CodingKey {
        case videoId = "video_id"
    }
}

public struct FitStreamChangeUserRequest: Codable, Hashable, Sendable {
    public var email: String?
    /// Required to change `email`.
    public var currentPassword: String?
    public var name: String?
    public var profileImageUrl: String?
    public var savedVideos: [String]?
    public var workoutPreferences: [String: JSONValue]?

    public init(
        email: String? = nil, currentPassword: String? = nil, name: String? = nil, profileImageUrl: String? = nil,
        savedVideos: [String]? = nil, workoutPreferences: [String: JSONValue]? = nil
    ) {
        self.email = email
        self.currentPassword = currentPassword
        self.name = name
        self.profileImageUrl = profileImageUrl
        self.savedVideos = savedVideos
        self.workoutPreferences = workoutPreferences
    }
}

public struct FitStreamCollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitStreamCollectRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }

    private enum CodingKeys: String, CodingKey {
        case videoId = "video_id"
    }
}

public struct FitStreamComment: Codable, Hashable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case commentId = "comment_id"
        case userId = "user_id"
        case text
        case timestamp
    }
}

public struct FitStreamCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var text: String

    public init(text: String, userId: String? = nil) {
        self.userId = userId
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case userId = "user_id"
        case text
    }
}

public struct FitStreamDeleteCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitStreamLikeAnswer: Codable, Hashable, Sendable {
    public var status: String
    public var message: String
    public var likeCount: Int

    public init(status: String, message: String, likeCount: Int) {
        self.status = status
        self.message = message
        self.likeCount = likeCount
    }
}

public struct FitStreamLikeRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }

    private enum CodingKeys: String, CodingKey {
        case userId = "user_id"
    }
}

public struct FitStreamLogInRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct FitStreamOrderCollectionAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitStreamOrderCollectionRequest: Codable, Hashable, Sendable {
    public var videoIds: [String]

    public init(videoIds: [String]) {
        self.videoIds = videoIds
    }
}

public struct FitStreamPatchUserRequest: Codable, Hashable, Sendable {
    public var email: String?
    /// Required to change `email`.
    public var currentPassword: String?
    public var name: String?
    public var profileImageUrl: String?
    public var savedVideos: [String]?
    public var workoutPreferences: [String: JSONValue]?

    public init(
        email: String? = nil, currentPassword: String? = nil, name: String? = nil, profileImageUrl: String? = nil,
        savedVideos: [String]? = nil, workoutPreferences: [String: JSONValue]? = nil
    ) {
        self.email = email
        self.currentPassword = currentPassword
        self.name = name
        self.profileImageUrl = profileImageUrl
        self.savedVideos = savedVideos
        self.workoutPreferences = workoutPreferences
    }
}

public struct FitStreamRecommendationsAnswer: Codable, Hashable, Sendable {
    public var recommendations: [RecommendedVideo]

    public init(recommendations: [RecommendedVideo]) {
        self.recommendations = recommendations
    }
}

public struct FitStreamSaveVideoRequest: Codable, Hashable, Sendable {
    public var videoId: String

    public init(videoId: String) {
        self.videoId = videoId
    }

    private enum CodingKeys: String, CodingKey {
        case videoId = "video_id"
    }
}

public struct FitStreamSavedVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var title: String?
    public var description: String
    public var videoUrl: String
    public var thumbnailUrl: String?
    public var workoutType: String?
    public var difficulty: String?
    public var duration: Double?
    public var uploadTime: Date
    public var muscleGroup: String?
    public var savedAt: Date

    public init(
        videoId: String, description: String, videoUrl: String, uploadTime: Date, savedAt: Date, title: String? = nil,
        thumbnailUrl: String? = nil, workoutType: String? = nil, difficulty: String? = nil, duration: Double? = nil,
        muscleGroup: String? = nil
    ) {
        self.videoId = videoId
        self.title = title
        self.description = description
        self.videoUrl = videoUrl
        self.thumbnailUrl = thumbnailUrl
        self.workoutType = workoutType
        self.difficulty = difficulty
        self.duration = duration
        self.uploadTime = uploadTime
        self.muscleGroup = muscleGroup
        self.savedAt = savedAt
    }

    private enum CodingKeys: String, CodingKey {
        case videoId = "video_id"
        case title
        case description
        case videoUrl
        case thumbnailUrl
        case workoutType
        case difficulty
        case duration
        case uploadTime
        case muscleGroup
        case savedAt
    }
}

/// One of the known values, or one that a later server has added.
public struct FitStreamSearchSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}

public struct FitStreamSignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var name: String?
    public var username: String?
    public var profileImageUrl: String?
    public var workoutPreferences: [String: JSONValue]?

    public init(
        email: String, password: String, name: String? = nil, username: String? = nil, profileImageUrl: String? = nil,
        workoutPreferences: [String: JSONValue]? = nil
    ) {
        self.email = email
        self.password = password
        self.name = name
        self.username = username
        self.profileImageUrl = profileImageUrl
        self.workoutPreferences = workoutPreferences
    }
}

public struct FitStreamUncollectAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct FitStreamUnlikeAnswer: Codable, Hashable, Sendable {
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
public struct FitStreamUser: Codable, Hashable, Sendable {
    public var userId: String
    public var name: String
    public var profileImageUrl: String?
    public var savedVideos: [String]?
    public var likedVideos: [String]?
    public var workoutPreferences: FitStreamUserWorkoutPreferences?
    public var status: String?
    public var token: String?

    public init(
        userId: String, name: String, profileImageUrl: String? = nil, savedVideos: [String]? = nil,
        likedVideos: [String]? = nil, workoutPreferences: FitStreamUserWorkoutPreferences? = nil, status: String? = nil,
        token: String? = nil
    ) {
        self.userId = userId
        self.name = name
        self.profileImageUrl = profileImageUrl
        self.savedVideos = savedVideos
        self.likedVideos = likedVideos
        self.workoutPreferences = workoutPreferences
        self.status = status
        self.token = token
    }

    private enum CodingKeys: String, CodingKey {
        case userId = "user_id"
        case name
        case profileImageUrl
        case savedVideos
        case likedVideos
        case workoutPreferences
        case status
        case token
    }
}

public struct FitStreamUserWorkoutPreferences: Codable, Hashable, Sendable {
    public var preferredWorkoutTypes: [String]?
    public var preferredDifficulty: String?

    public init(preferredWorkoutTypes: [String]? = nil, preferredDifficulty: String? = nil) {
        self.preferredWorkoutTypes = preferredWorkoutTypes
        self.preferredDifficulty = preferredDifficulty
    }
}

public struct FitStreamVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var title: String?
    public var description: String
    public var videoUrl: String
    public var thumbnailUrl: String?
    public var workoutType: String?
    public var difficulty: String?
    public var duration: Double?
    public var uploadTime: Date
    public var muscleGroup: String?

    public init(
        videoId: String, description: String, videoUrl: String, uploadTime: Date, title: String? = nil,
        thumbnailUrl: String? = nil, workoutType: String? = nil, difficulty: String? = nil, duration: Double? = nil,
        muscleGroup: String? = nil
    ) {
        self.videoId = videoId
        self.title = title
        self.description = description
        self.videoUrl = videoUrl
        self.thumbnailUrl = thumbnailUrl
        self.workoutType = workoutType
        self.difficulty = difficulty
        self.duration = duration
        self.uploadTime = uploadTime
        self.muscleGroup = muscleGroup
    }

    private enum CodingKeys: String, CodingKey {
        case videoId = "video_id"
        case title
        case description
        case videoUrl
        case thumbnailUrl
        case workoutType
        case difficulty
        case duration
        case uploadTime
        case muscleGroup
    }
}

/// One of the known values, or one that a later server has added.
public struct FitStreamVideosSort: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recent = Self(rawValue: "recent")
    public static let popular = Self(rawValue: "popular")
    public static let relevance = Self(rawValue: "relevance")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.recent, .popular, .relevance]
}

public struct FitStreamWorkoutJumpAnswer: Codable, Hashable, Sendable {
    public var timestamp: Double

    public init(timestamp: Double) {
        self.timestamp = timestamp
    }
}

public struct FitStreamWorkoutJumpRequest: Codable, Hashable, Sendable {
    public var videoId: String
    public var command: String

    public init(videoId: String, command: String) {
        self.videoId = videoId
        self.command = command
    }
}

public struct RecommendedVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var score: Double

    public init(videoId: String, score: Double) {
        self.videoId = videoId
        self.score = score
    }
}

public struct VideoSegment: Codable, Hashable, Sendable {
    public var segmentId: String
    public var label: String
    /// In seconds.
    public var startTime: Double
    /// In seconds.
    public var endTime: Double

    public init(segmentId: String, label: String, startTime: Double, endTime: Double) {
        self.segmentId = segmentId
        self.label = label
        self.startTime = startTime
        self.endTime = endTime
    }
}
