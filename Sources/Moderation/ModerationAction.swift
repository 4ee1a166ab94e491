import SocialGraph

/// An action of moderators. The raw value is the name in JSON, on the command line and in the modlog.
///
/// Every action is reversible: those that change a state by ``ModerationStore/undo(_:by:reason:isDryRun:)``, and by the
/// opposite action if there is one.
package enum ModerationAction: String, Sendable, CaseIterable {
    // Posts.
    /// Removes a post from its community. Only its authors and the community's moderators still see it.
    case removePost, restorePost
    /// Hides a post from everybody, on the whole site.
    case takedownPost, reinstatePost
    /// Holds a post for review, invisible to others, or releases it.
    case holdPost, approvePost
    case pinPost, unpinPost
    case featurePost, unfeaturePost

    // Comments.
    case removeComment, restoreComment
    case takedownComment, reinstateComment
    case holdComment, approveComment

    // Members of one community.
    /// Ends the membership and keeps the user from joining, reading and posting.
    case banMember
    /// Lifts the ban and restores the membership that it had ended.
    case unbanMember
    case setMemberRole
    case approveRequest, declineRequest

    // Communities.
    /// Only moderators may post.
    case lockCommunity, unlockCommunity
    /// Nobody may post, join or comment. Existing content stays readable.
    case archiveCommunity, unarchiveCommunity
    /// Makes the community visible only to members, or to everybody. Posts from a private period stay visible only to
    /// members (``PostCommunity/isForMembers``).
    case makeCommunityPrivate, makeCommunityPublic
    case renameCommunity
    case transferCommunity

    // Users, on the whole site, or with a warning in one community.
    case warnUser
    /// Limits the visibility of a user to followers.
    case silenceUser
    /// Hides a user everywhere, and refuses the user everything except their own affairs.
    case suspendUser
    /// Ends a silence or a suspension.
    case reinstateUser
    case setSiteRole

    // Cases.
    case claimReport, releaseReport, resolveReport
    case decideAppeal

    // Written by graphd itself.
    /// Reverts an earlier entry of the modlog.
    case undo
    /// Ends an earlier entry of the modlog whose time is over.
    case expire
}

extension ModerationAction {
    package var subjectKind: ModerationSubjectKind {
        switch self {
        case .removePost, .restorePost, .takedownPost, .reinstatePost, .holdPost, .approvePost, .pinPost, .unpinPost,
            .featurePost, .unfeaturePost:
            .post
        case .removeComment, .restoreComment, .takedownComment, .reinstateComment, .holdComment, .approveComment:
            .comment
        case .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest, .warnUser, .silenceUser,
            .suspendUser, .reinstateUser, .setSiteRole, .undo, .expire:
            .user
        case .lockCommunity, .unlockCommunity, .archiveCommunity, .unarchiveCommunity, .makeCommunityPrivate,
            .makeCommunityPublic, .renameCommunity, .transferCommunity:
            .community
        case .claimReport, .releaseReport, .resolveReport: .report
        case .decideAppeal: .appeal
        }
    }

    /// True for actions on members of the community named by the order.
    package var needsCommunity: Bool {
        switch self {
        case .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest: true
        default: false
        }
    }

    /// True for actions that may expire.
    package var canExpire: Bool {
        switch self {
        case .removePost, .takedownPost, .holdPost, .pinPost, .featurePost, .removeComment, .takedownComment,
            .holdComment, .banMember, .setMemberRole, .lockCommunity, .archiveCommunity, .warnUser, .silenceUser,
            .suspendUser, .setSiteRole:
            true
        default: false
        }
    }

    /// Actions that a moderator can order. graphd itself writes the others.
    package static let orderable = allCases.filter(\.isOrderable)

    var isOrderable: Bool { self != .undo && self != .expire }
}
