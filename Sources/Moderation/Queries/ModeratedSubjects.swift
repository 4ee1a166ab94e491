import SocialGraph

/// A user in the view of moderators, suspended or not.
package struct ModeratedUser: Sendable, Equatable {
    package let id: UserID
    package let username: String
    package let displayName: String
    package let createdAt: Int64
    package let siteRole: SiteRole?
    package internal(set) var silencedAt: Int64?
    package let suspendedAt: Int64?
    package let postsCount: Int64
    package let followersCount: Int64
}

/// A user with the information for moderators of a scope.
package struct ModeratedUserCard: Sendable, Equatable {
    package let user: ModeratedUser
    package let strikes: [Strike]
    /// The number of reports that concern the user: unresolved, and all.
    package let reportsOpen: Int64
    package let reportsTotal: Int64
    /// The latest entries of the modlog that concern the user.
    package let entries: [ModlogEntry]
    /// The user's relations to communities.
    package let communities: [CommunityTie]
}

/// A community in the view of its moderators.
package struct ModeratedCommunity: Sendable, Equatable {
    package let community: Community
    /// The caller's role in it.
    package let role: CommunityRole?
    package let openReports: Int64
    /// The number of posts and comments in its queue.
    package let held: Int64
}

/// A community with further information for its moderators.
package struct ModeratedCommunityCard: Sendable, Equatable {
    package let summary: ModeratedCommunity
    /// The owner, then the moderators in their order.
    package let moderators: [ModeratedMember]
    package let pins: [PostID]
    package let featured: [PostID]
    package let rules: Int64
    package let requests: Int64
}

/// A member of a community in the view of its moderators. `position` is the position in the list, a time-ordered id.
package struct ModeratedMember: Sendable, Equatable {
    package let user: UserID
    package let username: String
    package let role: CommunityRole
    package let position: Int64
    package internal(set) var strikes: Int64 = 0
}

/// A user who is banned from a community, with the entry of the ban.
package struct BannedMember: Sendable, Equatable {
    package let user: UserID
    package let username: String
    /// The entry; nil if the ban is older than the modlog.
    package internal(set) var entry: ModlogEntry?
}

/// An entry that affects the reader, and the status of the reader's appeal against it.
package struct OwnModlogEntry: Sendable, Equatable {
    package let entry: ModlogEntry
    /// The status; nil if there is no appeal.
    package let appeal: AppealStatus?
}
