import Database
import SocialGraph

/// The reason for refusing an order.
package enum ModerationError: ClientError, Equatable {
    /// The role table does not allow the action to this caller, for this subject.
    case notPermitted(ModerationAction)
    /// The caller's role is in force only with a second factor, which the caller has not set up.
    case secondFactorMissing(SiteRole)
    /// Moderators cannot act on themselves, or on a user of the same or a higher rank.
    case outranked
    case ownAffair
    /// A community's role would end or change a decision of the site.
    case siteDecision
    /// An act of a community on a user who was never related to it.
    case neverMember(UserID)
    /// A subject, named by the error, does not exist.
    case subjectNotFound(ModerationSubject)
    /// The action does not apply to the kind or the state of the subject.
    case notApplicable(String)
    /// A field, named by the error, is missing or does not fit the action.
    case invalidOrder(field: String, String)
    case batchNotFound
    case reportNotFound
    case appealNotFound
    case ruleNotFound
    case classifierNotFound
    /// The report was claimed by another moderator.
    case claimedByAnother
    /// The case is closed.
    case alreadyDecided
    /// The entry belongs to another user, is undone, or has been appealed against already.
    case notAppealable(String)
    /// The caller is suspended.
    case suspended(reason: String, endsAt: Int64?)

    package var answer: ErrorAnswer {
        switch self {
        case .notPermitted(let action): .init("not_permitted", "Your roles do not allow \(action.rawValue) here.")
        case .secondFactorMissing(let role):
            .init(
                "totp_setup_required",
                "Here a site \(role.rawValue) needs an authenticator. Set one up with POST /v1/me/totp.")
        case .outranked: .init("outranked", "This user's role is equal to yours or higher.")
        case .ownAffair: .init("own_affair", "You cannot moderate yourself. Ask another moderator.")
        case .siteDecision:
            .init("site_decision", "The site's moderators have decided this. Only they can change it.")
        case .neverMember(let user):
            .init(
                "never_member",
                "User \"\(user.rawValue)\" has never been a member of this community and has not commented in it.")
        case .subjectNotFound(let subject):
            .init("subject_not_found", "There is no such \(subject.kind.rawValue): \"\(subject.rawValue)\".")
        case .notApplicable(let why): .init("not_applicable", why)
        case .invalidOrder(let field, let why): .init("invalid_order", why, field: field)
        case .batchNotFound: .init("batch_not_found", "There is no such batch.")
        case .reportNotFound: .init("report_not_found", "There is no such report.")
        case .appealNotFound: .init("appeal_not_found", "There is no such appeal.")
        case .ruleNotFound: .init("rule_not_found", "There is no such rule.")
        case .classifierNotFound: .init("classifier_not_found", "There is no such classifier.")
        case .claimedByAnother:
            .init("claimed_by_another", "Another moderator has claimed this report. Release it first.")
        case .alreadyDecided: .init("already_decided", "This case is closed.")
        case .notAppealable(let why): .init("not_appealable", why)
        case .suspended(let reason, _):
            .init(
                "account_suspended",
                "Your account is suspended: \(reason)\(reason.last.map(".!?".contains) == true ? "" : ".")")
        }
    }
}
