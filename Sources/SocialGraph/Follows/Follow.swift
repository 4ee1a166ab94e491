/// One end of a follow as a list shows it.
package struct FollowEntry: Sendable, Equatable {
    package let user: UserID
    package let username: String
    /// The follow's place in every list; larger is later.
    package let position: Int64
}

/// The end of a user's follows that a list shows (FlockDB's "direction").
package enum FollowDirection: Sendable {
    case followers, following
}
