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
    /// The community is archived: nobody posts, joins or comments; its content stays readable.
    package let isArchived: Bool
}

package enum CommunityRole: String, Sendable, CaseIterable {
    case owner, moderator, member

    /// Sees removed content, and may post in a locked community.
    package var isModerating: Bool { self != .member }
}

/// The outcome of asking to join.
package enum JoinOutcome: Sendable, Equatable {
    case joined
    case wasMember
    /// A moderator of the private community has to decide.
    case requested
}

/// A member in a community's list. `position` is the place in it: the latest first.
package struct CommunityMember: Sendable, Equatable {
    package let user: UserID
    package let username: String
    package let role: CommunityRole
    package let position: Int64
}

/// A user's membership state in a community.
package struct Membership: Sendable, Equatable {
    package let community: CommunityID
    package let role: CommunityRole
    package let isInHome: Bool

    /// The membership of the user who has just created `community`.
    package static func ofFounder(in community: CommunityID) -> Membership {
        Membership(community: community, role: .owner, isInHome: true)
    }
}
