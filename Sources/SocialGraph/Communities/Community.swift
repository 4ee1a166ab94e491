/// A community as others see it, with its exact count.
package struct Community: Sendable, Equatable {
    package let id: CommunityID
    package let name: String
    package let description: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let isPrivate: Bool
    package let isLocked: Bool
    package let membersCount: Int64
}

package enum CommunityRole: String, Sendable {
    case owner, moderator, member

    /// Sees what was removed, and posts where a community is locked.
    package var isModerating: Bool { self != .member }
}

/// A user's place in a community.
package struct Membership: Sendable, Equatable {
    package let community: CommunityID
    package let role: CommunityRole
    package let isInHome: Bool
}
