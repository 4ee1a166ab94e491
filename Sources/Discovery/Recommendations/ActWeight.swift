import Database
import SocialGraph

/// The evidence of an act that a user likes a post: the more effort and intent, the stronger. A comment can be a
/// complaint and a watch an accident; a save shows the intent to return.
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
    /// Nil for an act with hardly any evidence, such as a watch that was broken off at once.
    init?(_ act: TasteAct) {
        let weight = ActWeight.weight(of: act)
        guard weight >= 0.01 else { return nil }
        self.init(user: act.user.rawValue, item: act.post.rawValue, weight: Float(weight), time: act.id)
    }
}
