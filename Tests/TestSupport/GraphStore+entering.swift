import Moderation
import SocialGraph

extension GraphStore {
    /// Joins; of a private community, with its owner's consent. True if that was new.
    @discardableResult
    package func enter(_ community: CommunityID, by user: UserID) async throws -> Bool {
        switch try await communities.joinCommunity(community, by: user) {
        case .joined: return true
        case .wasMember: return false
        case .requested:
            guard let owner = try await communities.moderators(of: community, limit: 1).first else { return false }
            try await joinRequests.approveRequest(of: user, to: community, by: owner.user)
            return true
        }
    }
}
