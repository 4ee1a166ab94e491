import SocialGraph

/// A user as moderators see them, suspended or not.
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

/// A user with what moderators of a scope know of them.
package struct ModeratedUserCard: Sendable, Equatable {
    package let user: ModeratedUser
    package let strikes: [Strike]
    /// Reports that concern the user: those not resolved, and all.
    package let reportsOpen: Int64
    package let reportsTotal: Int64
    /// The latest of the modlog that concern the user.
    package let entries: [ModlogEntry]
    /// What the user has to do with communities.
    package let communities: [CommunityTie]
}

/// A community as its moderators see it.
package struct ModeratedCommunity: Sendable, Equatable {
    package let community: Community
    /// The caller's own in it.
    package let role: CommunityRole?
    package let openReports: Int64
    /// Posts and comments in its queue.
    package let held: Int64
}

/// A community with what else its moderators work on.
package struct ModeratedCommunityCard: Sendable, Equatable {
    package let summary: ModeratedCommunity
    /// The owner, then the moderators in their order.
    package let moderators: [ModeratedMember]
    package let pins: [PostID]
    package let featured: [PostID]
    package let rules: Int64
    package let requests: Int64
}

/// A member of a community as its moderators see them. `position`: the place in the list, a time-ordered id.
package struct ModeratedMember: Sendable, Equatable {
    package let user: UserID
    package let username: String
    package let role: CommunityRole
    package let position: Int64
    package internal(set) var strikes: Int64 = 0
}

/// Somebody who is banned from a community, with the entry by which.
package struct BannedMember: Sendable, Equatable {
    package let user: UserID
    package let username: String
    /// Nil: banned before there was a modlog.
    package internal(set) var entry: ModlogEntry?
}

/// An entry that concerns the reader, and what became of the reader's appeal against it.
package struct OwnModlogEntry: Sendable, Equatable {
    package let entry: ModlogEntry
    /// Nil: there is none.
    package let appeal: AppealStatus?
}
