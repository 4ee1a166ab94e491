// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// A decision of moderators that concerns the reader, or the outcome of the reader’s report or appeal.
public struct ModerationNotice: Codable, Hashable, Sendable {
    /// The entry of the modlog, against which an appeal may be filed.
    public var entryId: String
    public var action: ModlogAction
    /// The action that an `undo` or `expire` has ended.
    public var endedAction: ModlogAction?
    public var subject: ModerationSubject
    public var communityId: String?
    public var communityName: String?
    /// Empty for a report.
    public var reason: String
    public var expiresAt: Date?
    /// The outcome of a report.
    public var resolution: ModerationNoticeResolution?
    /// The outcome of an appeal.
    public var decision: ModerationNoticeDecision?

    public init(
        entryId: String, action: ModlogAction, subject: ModerationSubject, reason: String,
        endedAction: ModlogAction? = nil, communityId: String? = nil, communityName: String? = nil,
        expiresAt: Date? = nil, resolution: ModerationNoticeResolution? = nil, decision: ModerationNoticeDecision? = nil
    ) {
        self.entryId = entryId
        self.action = action
        self.endedAction = endedAction
        self.subject = subject
        self.communityId = communityId
        self.communityName = communityName
        self.reason = reason
        self.expiresAt = expiresAt
        self.resolution = resolution
        self.decision = decision
    }
}

/// The outcome of an appeal.
public struct ModerationNoticeDecision: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.granted, .denied]
}

/// The outcome of a report.
public struct ModerationNoticeResolution: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let actioned = Self(rawValue: "actioned")
    public static let dismissed = Self(rawValue: "dismissed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.actioned, .dismissed]
}

public struct NotificationItem: Codable, Hashable, Sendable {
    public var notificationId: String
    public var type: NotificationItemType
    /// The latest user who acted; null for type `moderation`, which names no moderator.
    public var author: Author?
    public var viewer: Viewer?
    /// The latest users who acted, newest first; empty for type `moderation`.
    public var actors: [Author]
    public var actorsCount: Int
    public var postId: String?
    public var commentId: String?
    public var message: String
    public var isRead: Bool
    public var createdAt: Date
    /// The decision, for type `moderation`; null for others.
    public var moderation: ModerationNotice?

    public init(
        notificationId: String, type: NotificationItemType, actors: [Author], actorsCount: Int, message: String,
        isRead: Bool, createdAt: Date, author: Author? = nil, viewer: Viewer? = nil, postId: String? = nil,
        commentId: String? = nil, moderation: ModerationNotice? = nil
    ) {
        self.notificationId = notificationId
        self.type = type
        self.author = author
        self.viewer = viewer
        self.actors = actors
        self.actorsCount = actorsCount
        self.postId = postId
        self.commentId = commentId
        self.message = message
        self.isRead = isRead
        self.createdAt = createdAt
        self.moderation = moderation
    }
}

/// One of the known values, or one that a later server has added.
public struct NotificationItemType: OpenEnumeration {
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
    public static let moderation = Self(rawValue: "moderation")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .like, .comment, .share, .follow, .mention, .collaboration, .followRequest, .followAccepted, .moderation,
    ]
}

public struct NotificationPage: Codable, Hashable, Sendable {
    public var items: [NotificationItem]
    public var nextCursor: String?

    public init(items: [NotificationItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct UnreadCount: Codable, Hashable, Sendable {
    public var unreadCount: Int

    public init(unreadCount: Int) {
        self.unreadCount = unreadCount
    }
}
