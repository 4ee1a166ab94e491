import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension Problem {
    /// What the engine of moderation refuses.
    package init(moderationError error: ModerationError) {
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
        self.init(ProblemCode(of: error.code), detail, field: field, underlying: error)
    }
}
