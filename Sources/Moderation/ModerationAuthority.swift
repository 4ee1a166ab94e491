import SocialGraph

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

    /// On whose behalf the user moderates. Whoever has a role of the site acts for the site everywhere.
    var scope: ModerationScope { siteRole == nil ? .community : .site }

    package func may(_ action: ModerationAction, in community: CommunityID?) -> Bool {
        RoleTable.allows(action, to: role(in: community))
    }
}

/// Owner of a decision: the site, which only a role of the site can overrule, or a community.
package enum ModerationScope: String, Sendable, CaseIterable {
    case site, community

    /// Authority of the rules and classifiers of `community`; nil: of the site.
    init(of community: CommunityID?) { self = community == nil ? .site : .community }

    init(isSite: Int64) { self = isSite == 0 ? .community : .site }
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
