import SocialGraph

/// A message for one target, with all data needed to send it and to judge it.
package struct PushDelivery: Sendable, Equatable {
    /// The destination of a message.
    package enum Target: Sendable, Equatable {
        case device(token: String)
        /// Topic `fitness_updates_<userId>`.
        case topic
        case webhook(url: String, secret: [UInt8])
    }

    package let id: Int64
    /// One message id for all targets and attempts, by which a receiver recognises repetitions.
    package let message: Int64
    package let user: UserID
    package let channel: PushChannel
    package let target: Target
    package let kind: PushKind
    package let subject: Int64
    package let post: PostID?
    /// JSON text in the format of the channel's sender; empty until it is encoded for an attempt.
    package var payload = ""
    /// Time of the event, in milliseconds since 1970.
    package let createdAt: Int64
    /// Number of attempts, including this one.
    package let attempts: Int64
    /// Id of the webhook or device; 0 for a topic.
    package let targetID: Int64
}

/// The outcome of one attempt.
package enum PushOutcome: Sendable, Equatable {
    /// The message was accepted, or is no longer wanted.
    case finished
    /// Another attempt is due at this time, in milliseconds since 1970.
    case retry(at: Int64, status: Int64?, failure: String)
    /// No attempt was made, and none is counted.
    case postponed(until: Int64)
    /// The delivery failed permanently. For a webhook, it becomes a dead letter.
    case failed(status: Int64?, failure: String)
    /// The target no longer exists: a device is deleted, a webhook disabled.
    case targetGone
}
