package enum NotificationKind: String, Sendable, CaseIterable {
    case like, comment, share, follow, mention, collaboration
    /// A user asks to follow the recipient's private account.
    case followRequest = "follow_request"
    /// A user whom the recipient asked has approved.
    case followAccepted = "follow_accepted"
    /// A moderators' decision. The recipient stands for the actor, who is not named; the subject is the modlog's entry.
    case moderation
}

/// One act by one user of which another user is notified.
package struct Notification: Sendable, Equatable {
    /// Its place in lists, and its time (``IDSequence/milliseconds(of:)``).
    package let id: Int64
    package let group: Int64
    package let subject: Int64
    package let recipient: UserID
    package let kind: NotificationKind
    package let actor: UserID
    package let actorUsername: String
    /// The post; nil for a follow and its request.
    package let post: PostID?
    package let comment: CommentID?
    package let isRead: Bool
    /// True for a comment that replies to one of the recipient's.
    package let isReply: Bool
    /// The post is the recipient's own.
    package let isOfOwnPost: Bool
    /// True for an act by a suspended user, by a silenced user whom the recipient does not follow, or of a comment that
    /// moderators hide.
    package let isHidden: Bool
}

/// Acts of one kind on one subject, such as all likes of a post since the list was last read: "A and 12 others".
package struct NotificationGroup: Sendable, Equatable {
    package let id: Int64
    package let kind: NotificationKind
    package let post: PostID?
    /// The group's place in lists, also if the notification there is hidden.
    package let place: Int64
    /// The latest notification that is shown, and its time.
    package let latest: Notification
    /// The latest actors, the latest first, each once: at most ``NotificationGroup/actorsShown``.
    package let actors: [UserReference]
    /// Number of actors; 0: nothing in the group is shown.
    package let actorsCount: Int64
    package let isRead: Bool

    package static let actorsShown = 3
}

/// A user by id and name.
package struct UserReference: Sendable, Equatable {
    package let id: UserID
    package let username: String
}
