import Database
import SocialGraph

/// What an order is refused for.
package enum ModerationError: ClientError, Equatable {
    /// The table of roles does not allow the action to this caller, for this subject.
    case notPermitted(ModerationAction)
    /// Nobody acts on themselves, or on somebody whose role is as high as their own.
    case outranked
    case ownAffair
    /// A community's role would end or change what the site has decided.
    case siteDecision
    /// An act of a community on somebody who has never had to do with it.
    case neverMember(UserID)
    /// One subject among several is not there. Which is named.
    case subjectNotFound(ModerationSubject)
    /// The subject is of a kind, or in a state, that the action is not for.
    case notApplicable(String)
    /// The order lacks something, or has something that its action does not take. Which is named.
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
    /// What is appealed against is somebody else's, undone, or appealed against already.
    case notAppealable(String)
    /// The caller is suspended.
    case suspended(reason: String, endsAt: Int64?)

    package var answer: ErrorAnswer {
        switch self {
        case .notPermitted(let action): .init("not_permitted", "Your roles do not allow \(action.rawValue) here.")
        case .outranked: .init("outranked", "This user's role is as high as yours, or higher.")
        case .ownAffair: .init("own_affair", "Nobody moderates themselves. Ask another moderator.")
        case .siteDecision:
            .init("site_decision", "The site has decided this. Only a moderator of the site can change it.")
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
            .init("claimed_by_another", "Another moderator has claimed this report. It can be released first.")
        case .alreadyDecided: .init("already_decided", "This case is closed.")
        case .notAppealable(let why): .init("not_appealable", why)
        case .suspended(let reason, _):
            .init(
                "account_suspended",
                "Your account is suspended: \(reason)\(reason.last.map(".!?".contains) == true ? "" : ".")")
        }
    }
}
