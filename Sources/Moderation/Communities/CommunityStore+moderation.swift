import Database
import SocialGraph

/// Moderation by graphd itself, one act for each call, with the same refusals as other acts.
extension CommunityStore {
    /// Locks a community: only its moderators may post. Throws ``GraphError/communityNotFound``.
    package func setLocked(_ isLocked: Bool, community: CommunityID) async throws {
        try await act(isLocked ? .lockCommunity : .unlockCommunity, .community(community))
    }

    /// Removes a post from its community, or restores it. Throws ``GraphError/postNotFound``.
    package func setRemoved(_ isRemoved: Bool, post: PostID) async throws {
        try await act(isRemoved ? .removePost : .restorePost, .post(post))
    }

    /// Takes a post down everywhere, or reinstates it. Throws ``GraphError/postNotFound``.
    package func setTakenDown(_ isTakenDown: Bool, post: PostID) async throws {
        try await act(isTakenDown ? .takedownPost : .reinstatePost, .post(post))
    }

    /// Bans a user from a community, which ends the membership, or lifts the ban, which restores it. Idempotent.
    /// Throws ``GraphError/communityNotFound``, ``GraphError/accountNotFound`` and ``GraphError/ownerCannotLeave``.
    package func setBanned(_ isBanned: Bool, _ user: UserID, from community: CommunityID) async throws {
        try await act(isBanned ? .banMember : .unbanMember, .user(user), in: community)
    }

    /// Changes a member's role. Throws ``GraphError/notMember`` for a user who is not a member, and
    /// ``GraphError/ownerCannotLeave`` for the owner.
    package func setRole(_ role: CommunityRole, of user: UserID, in community: CommunityID) async throws {
        if role == .owner {
            throw try await membership(of: user, in: community) == nil
                ? GraphError.notMember : GraphError.ownerCannotLeave
        }
        try await act(.setMemberRole, .user(user), in: community, .memberRole(role))
    }

    /// Pins a post of the community to its top, or unpins it. Idempotent. Throws ``GraphError/postNotFound`` for a post
    /// that is not in the community, and ``GraphError/limitReached(_:)``.
    package func setPinned(_ isPinned: Bool, _ post: PostID, in community: CommunityID) async throws {
        try await act(isPinned ? .pinPost : .unpinPost, .post(post), in: community)
    }

    private func act(
        _ action: ModerationAction, _ subject: ModerationSubject, in community: CommunityID? = nil,
        _ detail: ModerationOrder.Detail? = nil
    ) async throws {
        let order = ModerationOrder(
            action, [subject], community: community, reason: action.rawValue, detail: detail)
        do {
            _ = try await GraphStore(database: database).moderation.moderate(order, by: nil)
        } catch ModerationError.subjectNotFound(.community) {
            throw GraphError.communityNotFound
        } catch ModerationError.subjectNotFound(.user) {
            throw GraphError.accountNotFound
        } catch ModerationError.subjectNotFound {
            throw GraphError.postNotFound
        } catch ModerationError.notApplicable {
            throw action == .setMemberRole ? GraphError.notMember : GraphError.postNotFound
        }
    }
}

extension ModerationStore.Reader {
    /// Throws ``ModerationError/neverMember(_:)`` if a community's role would act on a user without relation to it.
    func requireParticipant(_ order: ModerationOrder, _ target: ModerationTarget) throws {
        guard case .user(let user) = target.subject, let community = target.community else { return }
        guard try isParticipant(user, in: community) else { throw ModerationError.neverMember(user) }
    }

    /// Returns whether `user` is or was a member of `community`, has asked to join, is banned, or has commented there.
    func isParticipant(_ user: UserID, in community: CommunityID) throws -> Bool {
        try reader.exists(Self.participantProbe, [.user(user), .community(community)])
    }

    static let participantProbe = """
        SELECT 1 FROM community_member WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_participant WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_ban WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_request WHERE user_id = ?1 AND community_id = ?2
        LIMIT 1
        """
}
