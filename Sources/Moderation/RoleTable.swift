import SocialGraph

/// A user's role in the scope of an action: the community of its subject, or the site if there is no community. Each
/// role includes the permissions of the roles before it.
package enum ModeratorRole: String, Sendable, CaseIterable, Comparable {
    case user, communityModerator, communityOwner, siteModerator, admin

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.level < rhs.level }

    private var level: Int {
        switch self {
        case .user: 0
        case .communityModerator: 1
        case .communityOwner: 2
        case .siteModerator: 3
        case .admin: 4
        }
    }
}

/// The only table of permissions by role. docs/moderation.md shows it.
package enum RoleTable {
    package static func allows(_ action: ModerationAction, to role: ModeratorRole) -> Bool {
        guard let lowest = lowestRole(for: action) else { return false }
        return lowest <= role
    }

    /// The lowest role permitted to do `action`; nil for graphd alone.
    static func lowestRole(for action: ModerationAction) -> ModeratorRole? {
        switch action {
        case .removePost, .restorePost, .holdPost, .approvePost, .pinPost, .unpinPost, .featurePost, .unfeaturePost,
            .removeComment, .restoreComment, .holdComment, .approveComment, .banMember, .unbanMember,
            .approveRequest, .declineRequest, .lockCommunity, .unlockCommunity, .warnUser,
            .claimReport, .releaseReport, .resolveReport, .decideAppeal:
            .communityModerator
        case .setMemberRole, .archiveCommunity, .unarchiveCommunity, .makeCommunityPrivate, .makeCommunityPublic,
            .renameCommunity, .transferCommunity:
            .communityOwner
        case .takedownPost, .reinstatePost, .takedownComment, .reinstateComment, .silenceUser, .suspendUser,
            .reinstateUser:
            .siteModerator
        case .setSiteRole: .admin
        case .undo, .expire: nil
        }
    }
}

extension ModerationAction {
    /// True for actions against the user who owns the content or account. Not permitted against a user of the same or a
    /// higher rank.
    var isAgainstPerson: Bool {
        switch self {
        case .removePost, .takedownPost, .holdPost, .removeComment, .takedownComment, .holdComment, .banMember,
            .unbanMember, .setMemberRole, .warnUser, .silenceUser, .suspendUser, .reinstateUser, .setSiteRole:
            true
        default: false
        }
    }

    /// True for actions that moderators may also do to their own content.
    var isForOwnContent: Bool {
        switch self {
        case .pinPost, .unpinPost, .featurePost, .unfeaturePost, .transferCommunity: true
        default: false
        }
    }
}
