import Database
import SocialGraph

/// Users' membership states in communities, as changed by moderators.
extension FacetStore.Reader {
    func membership(of user: UserID, in community: CommunityID) throws -> MembershipState {
        let pair: [SQLValue] = [.user(user), .community(community)]
        var membership = MembershipState(isBanned: false)
        let queries = [
            CommunityStore.Reader.banProbe(of: user, from: community), SQLQuery(Self.membershipRequestQuery, pair),
            SQLQuery(Self.membershipQuery, pair),
        ]
        try reader.fetch(queries) { index, row in
            switch index {
            case 0: membership.isBanned = true
            case 1: membership.request = row.integer(0)
            default:
                membership.member = MembershipState.Member(
                    role: try row.choice(0), position: row.integer(1),
                    isInHome: row.integer(2) != 0, promotedAt: row.optionalInteger(3))
            }
            return false
        }
        return membership
    }

    static let membershipRequestQuery =
        "SELECT position FROM community_request WHERE user_id = ?1 AND community_id = ?2"
    static let membershipQuery = """
        SELECT role, position, in_home, promoted_at FROM community_member WHERE user_id = ?1 AND community_id = ?2
        """

    func owner(of community: CommunityID) throws -> UserID? {
        try reader.first(Self.ownerQuery, [.community(community)]) { UserID(rawValue: $0.integer(0)) }
    }

    static let ownerQuery =
        "SELECT user_id FROM community_member WHERE community_id = ?1 AND role = \(CommunityRole.owner.literal) LIMIT 1"
}

extension FacetStore.Writer {
    /// Writes the membership states. `owner` is the intended owner, if that may have changed. A user who has left
    /// since, or whose account is gone, does not become the owner again; the community keeps its current owner.
    func applyMemberships(_ stacks: [FacetStack], of community: CommunityID, owner: UserID?) throws {
        let before = try stored.owner(of: community)
        var next = owner ?? before
        if let owner, let stack = stacks.first(where: { $0.key.subject == owner.rawValue }) {
            let membership = try stack.key.membership(in: stack.state)
            if membership.isBanned {
                throw ModerationError.notApplicable(
                    "The user who would own the community is banned from it. Unban the user first.")
            }
            if try membership.member == nil || !AccountStore.Reader(transaction).exists(owner) {
                next = before
            }
        }
        for stack in stacks {
            let user = UserID(rawValue: stack.key.subject)
            let membership = try stack.key.membership(in: stack.state)
            // An owner cannot be banned, and an owner's join request cannot be reverted.
            if user == next, membership.isBanned || membership.member == nil { throw GraphError.ownerCannotLeave }
            var shown = membership.shown(isOwner: user == next)
            // A member who remains the owner although no effect says so any more keeps the time of promotion.
            if user == next, user == before, shown.member?.promotedAt == nil {
                shown.member?.promotedAt = try stored.membership(of: user, in: community).member?.promotedAt
            }
            try write(shown, of: user, in: community)
        }
    }

    private func write(_ membership: MembershipState, of user: UserID, in community: CommunityID) throws {
        let before = try stored.membership(of: user, in: community)
        guard before != membership else { return }
        let pair: [SQLValue] = [.user(user), .community(community)]
        if before.isBanned != membership.isBanned {
            try transaction.execute(
                membership.isBanned
                    ? "INSERT INTO community_ban (user_id, community_id) VALUES (?1, ?2)"
                    : "DELETE FROM community_ban WHERE user_id = ?1 AND community_id = ?2", pair)
        }
        if before.request != membership.request {
            try JoinRequestStore.Writer(transaction).deleteRequest(of: user, to: community)
            if let request = membership.request {
                try transaction.execute(
                    "INSERT INTO community_request (user_id, community_id, position) VALUES (?1, ?2, ?3)",
                    pair + [.integer(request)])
            }
        }
        if before.member != membership.member {
            try transaction.execute(
                "DELETE FROM community_member WHERE user_id = ?1 AND community_id = ?2", pair)
            if membership.member == nil {
                try CommunityStore.Writer(transaction).rememberParticipant(user, in: community)
            }
            if let member = membership.member {
                try transaction.execute(
                    """
                    INSERT INTO community_member (user_id, community_id, role, position, in_home, promoted_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                    """,
                    pair + [
                        .text(member.role.rawValue), .integer(member.position), .flag(member.isInHome),
                        .integer(optional: member.promotedAt),
                    ])
            }
            try transaction.execute(
                "UPDATE community SET members_count = members_count + ?2 WHERE id = ?1",
                [
                    .community(community),
                    .integer((membership.member == nil ? 0 : 1) - (before.member == nil ? 0 : 1)),
                ])
        }
        try transaction.record(.membershipChanged(user, in: community))
    }
}
