/// One end of a follow as a list shows it.
package struct FollowEntry: Sendable, Equatable {
    package let user: UserID
    package let username: String
    /// The follow's place in every list; larger is later.
    package let position: Int64
}

/// The state between two users after one has asked to follow the other.
package enum FollowOutcome: Sendable, Equatable {
    case following(isNew: Bool)
    /// The account is private, and the request waits for approval.
    case requested(isNew: Bool)
}

/// The end of a user's follows that a list shows (FlockDB's "direction").
package enum FollowDirection: Sendable {
    case followers, following
}
