import GraphAPI
import GraphServices
import SocialGraph

extension Problem {
    /// What the engine of moderation refuses.
    init(moderationError error: ModerationError) {
        let code: ProblemCode =
            switch error {
            case .notPermitted: .notPermitted
            case .outranked: .outranked
            case .ownAffair: .ownAffair
            case .siteDecision: .siteDecision
            case .neverMember: .neverMember
            case .subjectNotFound: .subjectNotFound
            case .notApplicable: .notApplicable
            case .invalidOrder: .invalidOrder
            case .batchNotFound: .batchNotFound
            case .reportNotFound: .reportNotFound
            case .appealNotFound: .appealNotFound
            case .ruleNotFound: .ruleNotFound
            case .classifierNotFound: .classifierNotFound
            case .claimedByAnother: .claimedByAnother
            case .alreadyDecided: .alreadyDecided
            case .notAppealable: .notAppealable
            case .refusedByRule: .refusedByRule
            case .suspended: .accountSuspended
            }
        var detail = error.message
        var field: String?
        switch error {
        case .invalidOrder(let name, _): field = name
        case .suspended(_, let endsAt):
            var text: [UInt8] = []
            if let endsAt { CivilTime(millisecondsSince1970: endsAt).append(to: &text) }
            detail +=
                endsAt == nil ? " It does not end by itself." : " It ends at \(String(decoding: text, as: UTF8.self))."
        default: break
        }
        self.init(code, detail, field: field, underlying: error)
    }
}
