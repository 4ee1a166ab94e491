import SocialGraph

/// A pending notification of a user on a channel.
package struct PushEvent: Sendable, Equatable {
    package let id: Int64
    package let user: UserID
    package let channel: PushChannel
    package let kind: PushKind
    /// Group of a notification, post of a new video, or due time of a reminder.
    package let subject: Int64
    /// The post of a new video.
    package let post: PostID?
    /// Time of the latest event since the last push, in milliseconds since 1970.
    package let createdAt: Int64
}

/// The decision on an event that is due.
package enum PushDecision: Sendable, Equatable {
    /// Sends a message to all targets of the channel: a JSON text in the format of the channel's sender. `post`:
    /// subject of the message, to be judged again before sending.
    case tell(payload: String, post: PostID?)
    /// Waits until this time, in milliseconds since 1970; further events until then join it.
    case wait(until: Int64)
    case drop
}
