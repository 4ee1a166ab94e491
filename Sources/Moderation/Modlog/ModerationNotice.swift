import SocialGraph

/// The content of a notification of kind ``NotificationKind/moderation``: a decision that concerns its reader, without
/// the moderator.
package struct ModerationNotice: Sendable, Equatable {
    /// The entry of the modlog, against which the reader may appeal.
    package let entry: ModlogEntryID
    package let action: ModerationAction
    /// The action that an undo or an expiry has ended; otherwise ``action``.
    package let orderedAction: ModerationAction
    /// The reader's post or comment, the reader, the reader's report or the reader's appeal.
    package let subject: ModerationSubject
    package let community: CommunityID?
    package let communityName: String?
    /// Empty for a decided report: its reason is for the user who was reported.
    package let reason: String
    /// Milliseconds since 1970.
    package let endsAt: Int64?
    /// The outcome of a report.
    package let resolution: ReportResolution?
    /// The outcome of an appeal.
    package let decision: AppealDecision?

    init(_ entry: ModlogEntry) {
        let isReport = entry.orderedAction == .resolveReport
        self.entry = entry.id
        action = entry.action
        orderedAction = entry.orderedAction
        subject = entry.subject
        community = isReport ? nil : entry.community
        communityName = isReport ? nil : entry.communityName
        reason = isReport ? "" : entry.reason
        endsAt = entry.endsAt
        resolution = ReportResolution.allCases.first {
            entry.detail == ModlogDetail.text(ModerationOrder.Detail.resolution($0).logged)
        }
        decision = AppealDecision.allCases.first {
            entry.detail == ModlogDetail.text(ModerationOrder.Detail.decision($0).logged)
        }
    }
}

extension ModerationAction {
    /// True if the affected user is notified. For ``resolveReport``, that is the reporter.
    var isTold: Bool {
        switch self {
        case .restorePost, .reinstatePost, .approvePost, .restoreComment, .reinstateComment, .approveComment,
            .unbanMember, .reinstateUser, .resolveReport, .decideAppeal:
            true
        default: isAppealable
        }
    }

    /// True if the affected user is notified of an undo. Nobody is notified of a reopened case.
    var isUndoTold: Bool { isTold && self != .resolveReport && self != .decideAppeal }
}

extension ModerationNotice {
    /// One sentence for the reader, with the reason, if there is one.
    package var message: String { reason.isEmpty ? sentence : "\(sentence) Reason: \(reason)" }

    private var sentence: String {
        switch action {
        case .undo, .expire: ended
        case .resolveReport:
            resolution == .actioned
                ? "Moderators acted on your report." : "Moderators reviewed your report. No action was necessary."
        case .decideAppeal: "Your appeal was \(decision == .granted ? "granted" : "denied")."
        default: ordered
        }
    }

    private var place: String { communityName.map { " in \($0)" } ?? "" }

    private var ordered: String {
        switch action {
        case .removePost: "Your post was removed\(place)."
        case .takedownPost: "Your post was taken down."
        case .holdPost: "Your post is held for review. Others do not see it."
        case .restorePost, .reinstatePost: "Your post was restored."
        case .approvePost: "Your post was approved."
        case .removeComment: "Your comment was removed\(place)."
        case .takedownComment: "Your comment was taken down."
        case .holdComment: "Your comment is held for review. Others do not see it."
        case .restoreComment, .reinstateComment: "Your comment was restored."
        case .approveComment: "Your comment was approved."
        case .warnUser: "You were warned\(place)."
        case .banMember: "You were banned\(place)."
        case .unbanMember: "You are no longer banned\(place)."
        case .silenceUser: "Your account was limited: only followers see its posts."
        case .suspendUser: "Your account was suspended."
        case .reinstateUser: "Your account was reinstated."
        default: "Moderators made a decision that concerns you."
        }
    }

    private var ended: String {
        switch orderedAction {
        case .removePost, .takedownPost: "Your post was restored."
        case .holdPost: "Your post is no longer held."
        case .removeComment, .takedownComment: "Your comment was restored."
        case .holdComment: "Your comment is no longer held."
        case .warnUser: "A warning\(place) was lifted."
        case .banMember: "You are no longer banned\(place)."
        case .silenceUser: "Your account is no longer limited."
        case .suspendUser: "Your account is no longer suspended."
        default: "A decision of moderators that concerned you was reversed."
        }
    }
}
