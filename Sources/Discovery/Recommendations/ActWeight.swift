import Database
import SocialGraph

/// How much an act says that somebody likes a post: the more, the more effort and intent it takes. A comment can be a
/// complaint, a watch can be an accident; to save is to mean to come back.
enum ActWeight {
    static func weight(of act: TasteAct) -> Double {
        switch act.kind {
        case .like: 1
        case .save: 1.5
        case .comment: 0.7
        case .reshare, .externalShare: 1.2
        case .watch: act.share * act.share
        }
    }
}

extension Interaction {
    /// Nil: the act says next to nothing, such as a watch that was broken off at once.
    init?(_ act: TasteAct) {
        let weight = ActWeight.weight(of: act)
        guard weight >= 0.01 else { return nil }
        self.init(user: act.user.rawValue, item: act.post.rawValue, weight: Float(weight), time: act.id)
    }
}
