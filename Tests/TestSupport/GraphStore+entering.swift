import Moderation
import SocialGraph

extension GraphStore {
    /// Joins a community, a private one with its owner's consent. Returns true if the membership is new.
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
