import Database
import SocialGraph

/// What an order is refused for. `code` is stable; `message` is safe to show and says what would be right.
package enum ModerationError: Error, Equatable {
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

    package var code: String {
        switch self {
        case .notPermitted: "not_permitted"
        case .outranked: "outranked"
        case .ownAffair: "own_affair"
        case .siteDecision: "site_decision"
        case .neverMember: "never_member"
        case .subjectNotFound: "subject_not_found"
        case .notApplicable: "not_applicable"
        case .invalidOrder: "invalid_order"
        case .batchNotFound: "batch_not_found"
        case .reportNotFound: "report_not_found"
        case .appealNotFound: "appeal_not_found"
        case .ruleNotFound: "rule_not_found"
        case .classifierNotFound: "classifier_not_found"
        case .claimedByAnother: "claimed_by_another"
        case .alreadyDecided: "already_decided"
        case .notAppealable: "not_appealable"
        case .suspended: "account_suspended"
        }
    }

    package var message: String {
        switch self {
        case .notPermitted(let action): "Your roles do not allow \(action.rawValue) here."
        case .outranked: "This user's role is as high as yours, or higher."
        case .ownAffair: "Nobody moderates themselves. Ask another moderator."
        case .siteDecision: "The site has decided this. Only a moderator of the site can change it."
        case .neverMember(let user):
            "User \"\(user.rawValue)\" has never been a member of this community and has not commented in it."
        case .subjectNotFound(let subject): "There is no such \(subject.kind.rawValue): \"\(subject.rawValue)\"."
        case .notApplicable(let why): why
        case .invalidOrder(_, let why): why
        case .batchNotFound: "There is no such batch."
        case .reportNotFound: "There is no such report."
        case .appealNotFound: "There is no such appeal."
        case .ruleNotFound: "There is no such rule."
        case .classifierNotFound: "There is no such classifier."
        case .claimedByAnother: "Another moderator has claimed this report. It can be released first."
        case .alreadyDecided: "This case is closed."
        case .notAppealable(let why): why
        case .suspended(let reason, _):
            "Your account is suspended: \(reason)\(reason.last.map(".!?".contains) == true ? "" : ".")"
        }
    }
}
