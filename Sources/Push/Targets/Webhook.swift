import SocialGraph

/// A webhook that receives a user's notifications.
package struct Webhook: Sendable, Equatable {
    package let id: Int64
    package let user: UserID
    package let url: String
    package let kinds: Set<PushKind>
    /// Key that signs its messages (HMAC-SHA256).
    package let secret: [UInt8]
    /// Time of creation, in milliseconds since 1970.
    package let createdAt: Int64
    /// Time at which the webhook answered 410; nothing has been sent to it since.
    package let disabledAt: Int64?
}

/// A message that a webhook has not accepted in any attempt. It has no body, because what was sent may be hidden from
/// the user by now.
package struct DeadLetter: Sendable, Equatable {
    package let id: Int64
    /// Message id that the receiver sees in all attempts.
    package let message: Int64
    package let kind: PushKind
    /// Group of a notification, post of a new video, or due time of a reminder.
    package let subject: Int64
    /// The post that the message is about, if any.
    package let post: PostID?
    package let attempts: Int64
    /// Time of the event, in milliseconds since 1970.
    package let createdAt: Int64
    package let failedAt: Int64
    /// Status of the last response; nil without one.
    package let status: Int64?
    package let failure: String
}
