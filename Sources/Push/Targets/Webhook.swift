import SocialGraph

/// A URL that is told of what a user is told of.
package struct Webhook: Sendable, Equatable {
    package let id: Int64
    package let user: UserID
    package let url: String
    package let kinds: Set<PushKind>
    /// What its messages are signed with (HMAC-SHA256).
    package let secret: [UInt8]
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// When it answered 410: nothing is sent to it since.
    package let disabledAt: Int64?
}

/// A message that a webhook has not taken, however often it was tried.
package struct DeadLetter: Sendable, Equatable {
    package let id: Int64
    /// What the receiver knows it by, over all attempts.
    package let message: Int64
    package let kind: PushKind
    package let attempts: Int64
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let failedAt: Int64
    /// Of the last answer; nil if there was none.
    package let status: Int64?
    package let failure: String
    /// The body, JSON.
    package let payload: String
}
