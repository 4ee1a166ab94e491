import SocialGraph

/// What a moderator can do. The raw value is the name on the wire, on the command line's JSON and in the modlog.
///
/// Every action is reversible: those that change a state by ``ModerationStore/undo(_:by:reason:isDryRun:)``, and by the
/// opposite action where there is one.
package enum ModerationAction: String, Sendable, CaseIterable {
    // Posts.
    /// Takes a post out of its community: only its authors and the community's moderators still see it.
    case removePost, restorePost
    /// Hides a post from everybody, on the whole site.
    case takedownPost, reinstatePost
    /// Puts a post into the queue, invisible to others, or lets it out.
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
    /// Nobody may post, join or comment; all that is there stays readable.
    case archiveCommunity, unarchiveCommunity
    /// Shows the community to members alone, or to everybody. What was posted while it was private stays for members
    /// (``PostCommunity/isForMembers``).
    case makeCommunityPrivate, makeCommunityPublic
    case renameCommunity
    case transferCommunity

    // Users, on the whole site, or warned for something in one community.
    case warnUser
    /// Shown to followers and nowhere else.
    case silenceUser
    /// Shown nowhere, and refused everything but one's own affairs.
    case suspendUser
    /// Ends a silence and a suspension.
    case reinstateUser
    case setSiteRole

    // Cases.
    case claimReport, releaseReport, resolveReport
    case decideAppeal

    // Written by graphd itself.
    /// Takes back what an earlier entry of the modlog did.
    case undo
    /// The time of an earlier entry is over.
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

    /// Done to members of the community that the order names.
    package var needsCommunity: Bool {
        switch self {
        case .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest: true
        default: false
        }
    }

    /// May end by itself.
    package var canExpire: Bool {
        switch self {
        case .removePost, .takedownPost, .holdPost, .pinPost, .featurePost, .removeComment, .takedownComment,
            .holdComment, .banMember, .setMemberRole, .lockCommunity, .archiveCommunity, .warnUser, .silenceUser,
            .suspendUser, .setSiteRole:
            true
        default: false
        }
    }

    /// Can be ordered by somebody; the others are written by graphd itself.
    package static let orderable = allCases.filter(\.isOrderable)

    var isOrderable: Bool { self != .undo && self != .expire }
}
