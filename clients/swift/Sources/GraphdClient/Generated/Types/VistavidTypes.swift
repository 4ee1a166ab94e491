// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct VistaVidComment: Codable, Hashable, Sendable {
    public var commentId: String
    public var userId: String?
    public var content: String?
    public var createdAt: Date
    public var parentCommentId: String?

    public init(
        commentId: String, createdAt: Date, userId: String? = nil, content: String? = nil,
        parentCommentId: String? = nil
    ) {
        self.commentId = commentId
        self.userId = userId
        self.content = content
        self.createdAt = createdAt
        self.parentCommentId = parentCommentId
    }
}

public struct VistaVidCommentAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var commentId: String

    public init(success: Bool, commentId: String) {
        self.success = success
        self.commentId = commentId
    }
}

public struct VistaVidCommentRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var content: String
    public var parentCommentId: String?

    public init(content: String, userId: String? = nil, parentCommentId: String? = nil) {
        self.userId = userId
        self.content = content
        self.parentCommentId = parentCommentId
    }
}

public struct VistaVidCommentsAnswer: Codable, Hashable, Sendable {
    public var comments: [VistaVidComment]
    public var lastVisible: String?

    public init(comments: [VistaVidComment], lastVisible: String? = nil) {
        self.comments = comments
        self.lastVisible = lastVisible
    }
}

public struct VistaVidCommunitiesAnswer: Codable, Hashable, Sendable {
    public var communities: [VistaVidCommunity]
    public var lastVisible: String?

    public init(communities: [VistaVidCommunity], lastVisible: String? = nil) {
        self.communities = communities
        self.lastVisible = lastVisible
    }
}

public struct VistaVidCommunity: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String
    public var description: String
    public var createdAt: Date
    public var members: [String]
    public var membersCount: Int
    public var moderators: [String]

    public init(
        communityId: String, name: String, description: String, createdAt: Date, members: [String], membersCount: Int,
        moderators: [String]
    ) {
        self.communityId = communityId
        self.name = name
        self.description = description
        self.createdAt = createdAt
        self.members = members
        self.membersCount = membersCount
        self.moderators = moderators
    }
}

public struct VistaVidCreateCommunityAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var communityId: String

    public init(success: Bool, communityId: String) {
        self.success = success
        self.communityId = communityId
    }
}

public struct VistaVidCreateCommunityRequest: Codable, Hashable, Sendable {
    public var name: String
    public var description: String?
    public var creatorId: String?

    public init(name: String, description: String? = nil, creatorId: String? = nil) {
        self.name = name
        self.description = description
        self.creatorId = creatorId
    }
}

public struct VistaVidFollowAnswer: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool) {
        self.success = success
    }
}

public struct VistaVidFollowRequest: Codable, Hashable, Sendable {
    public var followerId: String?

    public init(followerId: String? = nil) {
        self.followerId = followerId
    }
}

public struct VistaVidJoinAnswer: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool) {
        self.success = success
    }
}

public struct VistaVidJoinRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }
}

public struct VistaVidLeaveAnswer: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool) {
        self.success = success
    }
}

public struct VistaVidLeaveRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }
}

public struct VistaVidLikeAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var likesCount: Int

    public init(success: Bool, likesCount: Int) {
        self.success = success
        self.likesCount = likesCount
    }
}

public struct VistaVidLikeRequest: Codable, Hashable, Sendable {
    public var userId: String?

    public init(userId: String? = nil) {
        self.userId = userId
    }
}

public struct VistaVidLogInAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var userId: String
    public var token: String

    public init(success: Bool, userId: String, token: String) {
        self.success = success
        self.userId = userId
        self.token = token
    }
}

public struct VistaVidLogInRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct VistaVidSettingsAnswer: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool) {
        self.success = success
    }
}

public struct VistaVidSettingsRequest: Codable, Hashable, Sendable {
    public var isBusiness: Bool?
    public var selectedAlgorithms: [String]?

    public init(isBusiness: Bool? = nil, selectedAlgorithms: [String]? = nil) {
        self.isBusiness = isBusiness
        self.selectedAlgorithms = selectedAlgorithms
    }
}

public struct VistaVidShareAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var sharesCount: Int

    public init(success: Bool, sharesCount: Int) {
        self.success = success
        self.sharesCount = sharesCount
    }
}

public struct VistaVidShareRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var platform: String?

    public init(userId: String? = nil, platform: String? = nil) {
        self.userId = userId
        self.platform = platform
    }
}

public struct VistaVidSignUpAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var userId: String

    public init(success: Bool, userId: String) {
        self.success = success
        self.userId = userId
    }
}

public struct VistaVidSignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var username: String
    public var profilePicData: String?

    public init(email: String, password: String, username: String, profilePicData: String? = nil) {
        self.email = email
        self.password = password
        self.username = username
        self.profilePicData = profilePicData
    }
}

public struct VistaVidUnfollowAnswer: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool) {
        self.success = success
    }
}

public struct VistaVidUnfollowRequest: Codable, Hashable, Sendable {
    public var followerId: String?

    public init(followerId: String? = nil) {
        self.followerId = followerId
    }
}

public struct VistaVidUnlikeAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var likesCount: Int

    public init(success: Bool, likesCount: Int) {
        self.success = success
        self.likesCount = likesCount
    }
}

public struct VistaVidUploadAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var videoId: String

    public init(success: Bool, videoId: String) {
        self.success = success
        self.videoId = videoId
    }
}

public struct VistaVidUser: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var email: String?
    public var profilePicUrl: String?
    public var createdAt: Date
    public var isBusiness: Bool
    public var selectedAlgorithms: [String]?

    public init(
        userId: String, username: String, createdAt: Date, isBusiness: Bool, email: String? = nil,
        profilePicUrl: String? = nil, selectedAlgorithms: [String]? = nil
    ) {
        self.userId = userId
        self.username = username
        self.email = email
        self.profilePicUrl = profilePicUrl
        self.createdAt = createdAt
        self.isBusiness = isBusiness
        self.selectedAlgorithms = selectedAlgorithms
    }
}

public struct VistaVidVideo: Codable, Hashable, Sendable {
    public var videoId: String
    public var userId: String
    public var videoUrl: String
    public var thumbnailUrl: String?
    public var description: String
    public var likesCount: Int
    public var commentsCount: Int
    public var sharesCount: Int
    public var createdAt: Date
    public var algorithmTags: [String]
    public var businessData: BusinessData?

    public init(
        videoId: String, userId: String, videoUrl: String, description: String, likesCount: Int, commentsCount: Int,
        sharesCount: Int, createdAt: Date, algorithmTags: [String], thumbnailUrl: String? = nil,
        businessData: BusinessData? = nil
    ) {
        self.videoId = videoId
        self.userId = userId
        self.videoUrl = videoUrl
        self.thumbnailUrl = thumbnailUrl
        self.description = description
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.sharesCount = sharesCount
        self.createdAt = createdAt
        self.algorithmTags = algorithmTags
        self.businessData = businessData
    }
}

public struct VistaVidVideoPage: Codable, Hashable, Sendable {
    public var videos: [VistaVidVideo]
    public var lastVisible: String?

    public init(videos: [VistaVidVideo], lastVisible: String? = nil) {
        self.videos = videos
        self.lastVisible = lastVisible
    }
}
