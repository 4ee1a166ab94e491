import SocialGraph

/// A message that is to be sent to one target. It says all that sending and judging need.
package struct PushDelivery: Sendable, Equatable {
    /// Where it goes.
    package enum Target: Sendable, Equatable {
        case device(token: String)
        /// `fitness_updates_<userId>`
        case topic
        case webhook(url: String, secret: [UInt8])
    }

    package let id: Int64
    /// One for all targets and all attempts: what a receiver knows a repetition by.
    package let message: Int64
    package let user: UserID
    package let channel: PushChannel
    package let target: Target
    package let kind: PushKind
    package let subject: Int64
    package let post: PostID?
    package let payload: String
    /// When there was something to tell; milliseconds since 1970.
    package let createdAt: Int64
    /// This one counted.
    package let attempts: Int64
    /// Of the webhook, or the device; 0 of a topic.
    package let targetID: Int64
}

/// What one attempt has come to.
package enum PushOutcome: Sendable, Equatable {
    /// It was taken, or is not to be said any more.
    case finished
    /// To be tried again at this time, in milliseconds since 1970.
    case retry(at: Int64, status: Int64?, failure: String)
    /// It was not tried; the attempt does not count.
    case postponed(until: Int64)
    /// Never: to be tried no more. A webhook's becomes a dead letter.
    case failed(status: Int64?, failure: String)
    /// The target is no more: a device is forgotten, a webhook disabled.
    case targetGone
}
