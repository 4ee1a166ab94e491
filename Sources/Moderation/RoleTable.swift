import SocialGraph

/// What a user is where an action is done: in the community of its subject, or, of what has no community, on the site.
/// Each may do all that those before it may.
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

/// The one table of who may do what. docs/moderation.md shows it.
package enum RoleTable {
    package static func allows(_ action: ModerationAction, to role: ModeratorRole) -> Bool {
        guard let lowest = lowestRole(for: action) else { return false }
        return lowest <= role
    }

    /// The lowest role that may; nil: graphd alone.
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
    /// Done to the person whose content or account it is: not possible to somebody whose rank is as high as one's own.
    var isAgainstPerson: Bool {
        switch self {
        case .removePost, .takedownPost, .holdPost, .removeComment, .takedownComment, .holdComment, .banMember,
            .unbanMember, .setMemberRole, .warnUser, .silenceUser, .suspendUser, .reinstateUser, .setSiteRole:
            true
        default: false
        }
    }

    /// Moderators may also do it with what is their own.
    var isForOwnContent: Bool {
        switch self {
        case .pinPost, .unpinPost, .featurePost, .unfeaturePost, .transferCommunity: true
        default: false
        }
    }
}
