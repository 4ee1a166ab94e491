import SocialGraph

/// One action on up to ``ModerationLimits/subjectsPerOrder`` subjects, judged and carried out in one transaction:
/// all of it, or nothing.
package struct ModerationOrder: Sendable, Equatable {
    package var action: ModerationAction
    package var subjects: [ModerationSubject]
    /// Required where ``ModerationAction/needsCommunity``; of ``ModerationAction/warnUser`` the community in which the
    /// warning stands, nil: the site. Of posts and comments the one that they must be in, if it is named. Of no other.
    package var community: CommunityID?
    /// Shown to whom it concerns, and in the public modlog.
    package var reason: String
    /// For moderators only. Can be erased without breaking the modlog's chain.
    package var note: String?
    /// Milliseconds since 1970 at which it ends by itself; nil: never.
    package var endsAt: Int64?
    /// What the action is given, besides subjects.
    package var detail: Detail?

    package enum Detail: Sendable, Equatable {
        /// Of ``ModerationAction/setMemberRole``: moderator or member.
        case memberRole(CommunityRole)
        /// Of ``ModerationAction/setSiteRole``; nil: none.
        case siteRole(SiteRole?)
        /// Of ``ModerationAction/renameCommunity``.
        case name(String)
        /// Of ``ModerationAction/transferCommunity``: the new owner, a member.
        case successor(UserID)
        /// Of ``ModerationAction/resolveReport``.
        case resolution(ReportResolution)
        /// Of ``ModerationAction/decideAppeal``.
        case decision(AppealDecision)
    }

    package init(
        _ action: ModerationAction, _ subjects: [ModerationSubject], community: CommunityID? = nil, reason: String,
        note: String? = nil, endsAt: Int64? = nil, detail: Detail? = nil
    ) {
        self.action = action
        self.subjects = subjects
        self.community = community
        self.reason = reason
        self.note = note
        self.endsAt = endsAt
        self.detail = detail
    }
}

/// What came of an order, or of an undo.
package struct ModerationOutcome: Sendable, Equatable {
    /// Of one subject.
    package struct Result: Sendable, Equatable {
        package let subject: ModerationSubject
        /// False: it was so already.
        package let isChanged: Bool
        /// Its entry in the modlog; nil where nothing changed, and of a dry run.
        package let entry: ModlogEntryID?
    }

    /// What ``ModerationStore/undo(_:by:reason:isDryRun:)`` takes; nil where nothing changed, and of a dry run.
    package let batch: BatchID?
    package let isDryRun: Bool
    package let results: [Result]
}

/// A role on the whole site.
package enum SiteRole: String, Sendable, CaseIterable {
    case admin, moderator
}

package enum ReportResolution: String, Sendable, CaseIterable {
    /// Something was done about it.
    case actioned
    /// There was nothing to do.
    case dismissed
}

package enum AppealDecision: String, Sendable, CaseIterable {
    /// What was appealed against is undone.
    case granted
    case denied
}
