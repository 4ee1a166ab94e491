// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct SocialAuthSignUpAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var userId: String

    public init(success: Bool, userId: String) {
        self.success = success
        self.userId = userId
    }
}

public struct SocialAuthSignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var username: String
    public var profilePicData: String?
    public var bio: String?
    public var profilePicture: String?

    public init(
        email: String, password: String, username: String, profilePicData: String? = nil, bio: String? = nil,
        profilePicture: String? = nil
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.profilePicData = profilePicData
        self.bio = bio
        self.profilePicture = profilePicture
    }
}

public struct SocialCategoryTimelineAnswer: Codable, Hashable, Sendable {
    public var posts: [SocialPost]
    public var nextCursor: String?

    public init(posts: [SocialPost], nextCursor: String? = nil) {
        self.posts = posts
        self.nextCursor = nextCursor
    }
}

public struct SocialComment: Codable, Hashable, Sendable {
    public var commentId: String
    public var postId: String
    public var userId: String?
    public var text: String?
    public var createdAt: Date

    public init(commentId: String, postId: String, createdAt: Date, userId: String? = nil, text: String? = nil) {
        self.commentId = commentId
        self.postId = postId
        self.userId = userId
        self.text = text
        self.createdAt = createdAt
    }
}

public struct SocialCommentRequest: Codable, Hashable, Sendable {
    public var text: String
    public var parentCommentId: String?

    public init(text: String, parentCommentId: String? = nil) {
        self.text = text
        self.parentCommentId = parentCommentId
    }
}

public struct SocialCommentsAnswer: Codable, Hashable, Sendable {
    public var comments: [SocialComment]
    public var nextCursor: String?

    public init(comments: [SocialComment], nextCursor: String? = nil) {
        self.comments = comments
        self.nextCursor = nextCursor
    }
}

public struct SocialCreatePostAnswer: Codable, Hashable, Sendable {
    public var postId: String
    public var status: String

    public init(postId: String, status: String) {
        self.postId = postId
        self.status = status
    }
}

public struct SocialCreatePostRequest: Codable, Hashable, Sendable {
    public var userId: String?
    public var mediaUrl: String
    public var caption: String
    public var category: String?
    public var link: String?
    public var collaborators: [String]?

    public init(
        mediaUrl: String, caption: String, userId: String? = nil, category: String? = nil, link: String? = nil,
        collaborators: [String]? = nil
    ) {
        self.userId = userId
        self.mediaUrl = mediaUrl
        self.caption = caption
        self.category = category
        self.link = link
        self.collaborators = collaborators
    }
}

public struct SocialDeletePostAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct SocialFollowAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct SocialFollowRequest: Codable, Hashable, Sendable {
    public var followerId: String?

    public init(followerId: String? = nil) {
        self.followerId = followerId
    }
}

public struct SocialLikeAnswer: Codable, Hashable, Sendable {
    public var likeId: String
    public var postId: String
    public var userId: String
    public var createdAt: Date
    public var likesCount: Int

    public init(likeId: String, postId: String, userId: String, createdAt: Date, likesCount: Int) {
        self.likeId = likeId
        self.postId = postId
        self.userId = userId
        self.createdAt = createdAt
        self.likesCount = likesCount
    }
}

public struct SocialLogInAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var userId: String
    public var token: String

    public init(success: Bool, userId: String, token: String) {
        self.success = success
        self.userId = userId
        self.token = token
    }
}

public struct SocialLogInRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct SocialMarkAsReadAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct SocialMediaAnswer: Codable, Hashable, Sendable {
    public var mediaUrl: String
    public var thumbnailUrl: String?
    public var status: String

    public init(mediaUrl: String, status: String, thumbnailUrl: String? = nil) {
        self.mediaUrl = mediaUrl
        self.thumbnailUrl = thumbnailUrl
        self.status = status
    }
}

public struct SocialNotification: Codable, Hashable, Sendable {
    public var notificationId: String
    public var userId: String
    public var type: SocialNotificationType
    public var fromUserId: String
    public var postId: String?
    public var message: String
    public var isRead: Bool
    public var createdAt: Date

    public init(
        notificationId: String, userId: String, type: SocialNotificationType, fromUserId: String, message: String,
        isRead: Bool, createdAt: Date, postId: String? = nil
    ) {
        self.notificationId = notificationId
        self.userId = userId
        self.type = type
        self.fromUserId = fromUserId
        self.postId = postId
        self.message = message
        self.isRead = isRead
        self.createdAt = createdAt
    }
}

/// One of the known values, or one that a later server has added.
public struct SocialNotificationType: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let like = Self(rawValue: "like")
    public static let comment = Self(rawValue: "comment")
    public static let share = Self(rawValue: "share")
    public static let follow = Self(rawValue: "follow")
    public static let mention = Self(rawValue: "mention")
    public static let collaboration = Self(rawValue: "collaboration")
    public static let followRequest = Self(rawValue: "follow_request")
    public static let followAccepted = Self(rawValue: "follow_accepted")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .like, .comment, .share, .follow, .mention, .collaboration, .followRequest, .followAccepted,
    ]
}

public struct SocialNotificationsAnswer: Codable, Hashable, Sendable {
    public var notifications: [SocialNotification]
    public var nextCursor: String?

    public init(notifications: [SocialNotification], nextCursor: String? = nil) {
        self.notifications = notifications
        self.nextCursor = nextCursor
    }
}

public struct SocialPost: Codable, Hashable, Sendable {
    public var postId: String
    public var userId: String
    public var mediaUrl: String
    public var caption: String
    public var category: String?
    public var link: String?
    public var collaborators: [String]
    public var likesCount: Int
    public var commentsCount: Int
    public var sharesCount: Int
    public var createdAt: Date
    public var updatedAt: Date

    public init(
        postId: String, userId: String, mediaUrl: String, caption: String, collaborators: [String], likesCount: Int,
        commentsCount: Int, sharesCount: Int, createdAt: Date, updatedAt: Date, category: String? = nil,
        link: String? = nil
    ) {
        self.postId = postId
        self.userId = userId
        self.mediaUrl = mediaUrl
        self.caption = caption
        self.category = category
        self.link = link
        self.collaborators = collaborators
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.sharesCount = sharesCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct SocialShareAnswer: Codable, Hashable, Sendable {
    public var shareId: String
    public var postId: String
    public var userId: String
    public var createdAt: Date
    public var platform: String?

    public init(shareId: String, postId: String, userId: String, createdAt: Date, platform: String? = nil) {
        self.shareId = shareId
        self.postId = postId
        self.userId = userId
        self.createdAt = createdAt
        self.platform = platform
    }
}

public struct SocialShareRequest: Codable, Hashable, Sendable {
    public var platform: String?

    public init(platform: String? = nil) {
        self.platform = platform
    }
}

public struct SocialSignUpAnswer: Codable, Hashable, Sendable {
    public var success: Bool
    public var userId: String

    public init(success: Bool, userId: String) {
        self.success = success
        self.userId = userId
    }
}

public struct SocialSignUpRequest: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    public var username: String
    public var profilePicData: String?
    public var bio: String?
    public var profilePicture: String?

    public init(
        email: String, password: String, username: String, profilePicData: String? = nil, bio: String? = nil,
        profilePicture: String? = nil
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.profilePicData = profilePicData
        self.bio = bio
        self.profilePicture = profilePicture
    }
}

public struct SocialTimelineAnswer: Codable, Hashable, Sendable {
    public var posts: [SocialPost]
    public var nextCursor: String?

    public init(posts: [SocialPost], nextCursor: String? = nil) {
        self.posts = posts
        self.nextCursor = nextCursor
    }
}

public struct SocialUnfollowAnswer: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct SocialUnlikeAnswer: Codable, Hashable, Sendable {
    public var likesCount: Int
    public var status: String

    public init(likesCount: Int, status: String) {
        self.likesCount = likesCount
        self.status = status
    }
}

public struct SocialUpdateRequest: Codable, Hashable, Sendable {
    public var username: String?
    public var bio: String?
    public var profilePicture: String?

    public init(username: String? = nil, bio: String? = nil, profilePicture: String? = nil) {
        self.username = username
        self.bio = bio
        self.profilePicture = profilePicture
    }
}

public struct SocialUser: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var email: String?
    public var profilePicture: String?
    public var bio: String
    public var followers: [String]
    public var followersCount: Int
    public var following: [String]
    public var followingCount: Int
    public var createdAt: Date
    public var updatedAt: Date
    public var status: String?

    public init(
        userId: String, username: String, bio: String, followers: [String], followersCount: Int, following: [String],
        followingCount: Int, createdAt: Date, updatedAt: Date, email: String? = nil, profilePicture: String? = nil,
        status: String? = nil
    ) {
        self.userId = userId
        self.username = username
        self.email = email
        self.profilePicture = profilePicture
        self.bio = bio
        self.followers = followers
        self.followersCount = followersCount
        self.following = following
        self.followingCount = followingCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.status = status
    }
}
