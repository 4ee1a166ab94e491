/// A person as others see them, with exact counts.
package struct Account: Sendable, Equatable {
    package let id: UserID
    package let username: String
    /// The display name; empty if the user has none.
    package let displayName: String
    package let bio: String
    /// The stored form: absolute, or the path of a stored file (`/media/…`).
    package let pictureURL: String?
    /// The email address, shown to its owner only; nil for imported accounts.
    package let email: String?
    package let isBusiness: Bool
    /// True if follows need the user's approval, and posts are for followers.
    package let isPrivate: Bool
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Time of the last change of the profile, in milliseconds since 1970.
    package let updatedAt: Int64
    package let followersCount: Int64
    package let followingCount: Int64
    package let postsCount: Int64
}

/// The fields that log-in needs; none of them is shown.
package struct Credentials: Sendable {
    package let id: UserID
    package let passwordHash: String?
    package let tokenEpoch: Int64
}
