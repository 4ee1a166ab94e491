import SocialGraph

/// That a user is to be told of something on a channel.
package struct PushEvent: Sendable, Equatable {
    package let id: Int64
    package let user: UserID
    package let channel: PushChannel
    package let kind: PushKind
    /// Of a notification its group, of a new video the post, of a reminder the time at which it was due.
    package let subject: Int64
    /// Of a new video.
    package let post: PostID?
    /// When there was something to tell since the last time; milliseconds since 1970.
    package let createdAt: Int64
}

/// What becomes of an event whose time has come.
package enum PushDecision: Sendable, Equatable {
    /// Is said, in a message that all targets of the channel get: a JSON text, as the channel's sender understands it.
    /// `post`: what it is about, for judging once more before it is sent.
    case tell(payload: String, post: PostID?)
    /// Not before this time, in milliseconds since 1970; what comes until then joins it.
    case wait(until: Int64)
    case drop
}
