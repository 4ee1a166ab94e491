import Database

/// The kinds of content that a mute silences. A mute without any of them does not exist.
package struct MuteKinds: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Posts of which the muted user is an author.
    package static let posts = MuteKinds(rawValue: 1)
    /// The muted user's reshares, as a reason for a post to be in a timeline.
    package static let reshares = MuteKinds(rawValue: 2)
    package static let notifications = MuteKinds(rawValue: 4)
    package static let everything: MuteKinds = [.posts, .reshares, .notifications]
}

/// A muted user as the list of mutes shows it.
package struct MuteEntry: Sendable, Equatable {
    package let user: UserID
    package let username: String
    package let kinds: MuteKinds
    /// Milliseconds since 1970; nil: it does not expire.
    package let expiresAt: Int64?
    package let position: Int64
}
