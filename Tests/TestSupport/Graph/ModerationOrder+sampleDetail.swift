import Moderation
import SocialGraph

extension ModerationOrder {
    /// A valid detail for the action; nil if it needs none.
    package func sampleDetail(successor: UserID) -> Detail? {
        switch action {
        case .setMemberRole: .memberRole(.moderator)
        case .setSiteRole: .siteRole(.moderator)
        case .renameCommunity: .name("another name")
        case .transferCommunity: .successor(successor)
        case .resolveReport: .resolution(.dismissed)
        case .decideAppeal: .decision(.denied)
        default: nil
        }
    }
}
