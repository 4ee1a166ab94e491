import SocialGraph

/// One action on up to ``ModerationLimits/subjectsPerOrder`` subjects, checked and carried out in one transaction: all
/// of it, or nothing.
package struct ModerationOrder: Sendable, Equatable {
    package var action: ModerationAction
    package var subjects: [ModerationSubject]
    /// The community of the action. Required if ``ModerationAction/needsCommunity``. For ``ModerationAction/warnUser``
    /// the community of the warning; nil for the site. For posts and comments the community that they must be in, if
    /// given. Nil for all other actions.
    package var community: CommunityID?
    /// Shown to affected users, and in the public modlog.
    package var reason: String
    /// For moderators only. Can be erased without breaking the modlog's chain.
    package var note: String?
    /// The time of expiry in milliseconds since 1970; nil for never.
    package var endsAt: Int64?
    /// The additional argument of the action.
    package var detail: Detail?

    package enum Detail: Sendable, Equatable {
        /// For ``ModerationAction/setMemberRole``: moderator or member.
        case memberRole(CommunityRole)
        /// For ``ModerationAction/setSiteRole``; nil for no role.
        case siteRole(SiteRole?)
        /// For ``ModerationAction/renameCommunity``.
        case name(String)
        /// For ``ModerationAction/transferCommunity``: the new owner, a member.
        case successor(UserID)
        /// For ``ModerationAction/resolveReport``.
        case resolution(ReportResolution)
        /// For ``ModerationAction/decideAppeal``.
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

/// The result of an order, or of an undo.
package struct ModerationOutcome: Sendable, Equatable {
    /// The result for one subject.
    package struct Result: Sendable, Equatable {
        package let subject: ModerationSubject
        /// False if the subject was already in the ordered state, or is a repetition within the order.
        package let isChanged: Bool
        /// Its entry in the modlog; nil for a dry run or without a change.
        package let entry: ModlogEntryID?
    }

    /// The batch for ``ModerationStore/undo(_:by:reason:isDryRun:)``; nil for a dry run or without a change.
    package let batch: BatchID?
    package let isDryRun: Bool
    package let results: [Result]
}

/// A role on the whole site.
package enum SiteRole: String, Sendable, CaseIterable {
    case admin, moderator
}

package enum ReportResolution: String, Sendable, CaseIterable {
    /// A moderator has acted on the report.
    case actioned
    /// No action was necessary.
    case dismissed
}

package enum AppealDecision: String, Sendable, CaseIterable {
    /// The entry appealed against is undone.
    case granted
    case denied
}
