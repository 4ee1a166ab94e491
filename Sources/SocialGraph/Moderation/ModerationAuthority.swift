/// The roles of a user that decide what the user may moderate.
package struct ModerationAuthority: Sendable, Equatable {
    package let user: UserID
    package let siteRole: SiteRole?
    /// Communities that the user owns or moderates.
    package let communities: [CommunityID: CommunityRole]

    /// What the user is in `community`, or (nil) on the site.
    package func role(in community: CommunityID?) -> ModeratorRole {
        switch siteRole {
        case .admin: return .admin
        case .moderator: return .siteModerator
        case nil: break
        }
        switch community.flatMap({ communities[$0] }) {
        case .owner: return .communityOwner
        case .moderator: return .communityModerator
        default: return .user
        }
    }

    package func may(_ action: ModerationAction, in community: CommunityID?) -> Bool {
        RoleTable.allows(action, to: role(in: community))
    }
}

/// How high somebody stands where an action is done: by role, and among a community's moderators by who has been one
/// for longer.
struct ModeratorRank: Equatable {
    let role: ModeratorRole
    /// Of a community's moderator: the smaller, the higher.
    let promotedAt: Int64

    func isAbove(_ other: Self) -> Bool {
        if role != other.role { return role > other.role }
        return role == .communityModerator && promotedAt < other.promotedAt
    }
}
