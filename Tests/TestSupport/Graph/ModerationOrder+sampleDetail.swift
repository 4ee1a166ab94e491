import Moderation
import SocialGraph

extension ModerationOrder {
    /// What its action needs besides.
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
