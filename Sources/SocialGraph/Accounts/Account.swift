import Foundation

/// A person as others see them, with exact counts.
package struct Account: Sendable, Equatable {
    package let id: UserID
    package let username: String
    /// Empty where none was given.
    package let displayName: String
    package let bio: String
    /// As it is stored: absolute, or the path of a stored file (`/media/…`).
    package let pictureURL: String?
    /// Shown to its owner only. Nil for imported accounts.
    package let email: String?
    package let isBusiness: Bool
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// When the profile was changed last, in milliseconds since 1970.
    package let updatedAt: Int64
    package let followersCount: Int64
    package let followingCount: Int64
    package let postsCount: Int64
}

/// What log-in needs, and nothing that is shown.
package struct Credentials: Sendable {
    package let id: UserID
    package let passwordHash: String?
    package let tokenEpoch: Int64
}

/// Folds names that people take for the same: case, and Unicode's compatible spellings of it.
package enum NameFolding {
    package static func key(_ name: String) -> String {
        // What is compared byte by byte in SQL must not depend on how a client composes its letters.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
        return name.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping
    }
}
