import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension Problem {
    /// Maps a refusal of the moderation engine to a problem.
    package init(moderationError error: ModerationError) {
        guard case .suspended(_, let endsAt) = error else {
            self.init(answering: error)
            return
        }
        var text: [UInt8] = []
        if let endsAt { CivilTime(millisecondsSince1970: endsAt).append(to: &text) }
        let end = endsAt == nil ? "It has no end date." : "It ends at \(String(decoding: text, as: UTF8.self))."
        self.init(answering: error, detail: "\(error.message) \(end)")
    }
}
