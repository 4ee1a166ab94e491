import SocialGraph

/// The roles of a user that decide the user's moderation permissions.
package struct ModerationAuthority: Sendable, Equatable {
    package let user: UserID
    package let siteRole: SiteRole?
    /// Communities that the user owns or moderates.
    package let communities: [CommunityID: CommunityRole]

    /// Returns the user's role in `community`, or (nil) on the site.
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

    /// The scope on whose behalf the user moderates. A user with a role of the site always acts for the site.
    var scope: ModerationScope { siteRole == nil ? .community : .site }

    /// True if the user may moderate anything.
    package var isModerating: Bool { siteRole != nil || !communities.isEmpty }

    package func may(_ action: ModerationAction, in community: CommunityID?) -> Bool {
        RoleTable.allows(action, to: role(in: community))
    }
}

/// Owner of a decision: the site, which only a role of the site can overrule, or a community.
package enum ModerationScope: String, Sendable, CaseIterable {
    case site, community

    /// The authority of the rules and classifiers of `community`; nil for the site.
    init(of community: CommunityID?) { self = community == nil ? .site : .community }

    init(isSite: Int64) { self = isSite == 0 ? .community : .site }
}

/// The rank of a user in the scope of an action. The role decides, and among a community's moderators seniority
/// decides.
struct ModeratorRank: Equatable {
    let role: ModeratorRole
    /// The time of promotion of a community's moderator. A smaller value ranks higher.
    let promotedAt: Int64

    func isAbove(_ other: Self) -> Bool {
        if role != other.role { return role > other.role }
        return role == .communityModerator && promotedAt < other.promotedAt
    }
}
