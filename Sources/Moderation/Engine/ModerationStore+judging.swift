import Database
import SocialGraph

/// Permission checks for moderation actions.
extension ModerationStore {
    /// Returns the roles that decide what `user` may moderate. Throws ``GraphError/accountNotFound``, and
    /// ``ModerationError/secondFactorMissing(_:)`` where the site's role is not in force without a second factor.
    package func authority(of user: UserID) async throws -> ModerationAuthority {
        try await database.read { try Reader($0).authority(of: user) }
    }

    /// Returns the role of the site that `user` holds, in force or not. Throws ``GraphError/accountNotFound``.
    package func siteRole(of user: UserID) async throws -> SiteRole? {
        try await database.read { try Reader($0).siteRole(of: user) }
    }
}

extension ModerationStore.Reader {
    func siteRole(of user: UserID) throws -> SiteRole? {
        let role = try reader.first(Self.siteRoleQuery, [.user(user)]) { try $0.optionalChoice(0, of: SiteRole.self) }
        guard let role else { throw GraphError.accountNotFound }
        return role
    }

    func authority(of user: UserID) throws -> ModerationAuthority {
        let siteRole = try siteRole(of: user)
        if let siteRole { try requireSecondFactor(of: user, with: siteRole) }
        let roles = try reader.rows(Self.moderatedQuery, [.user(user)]) {
            (CommunityID(rawValue: $0.integer(0)), try $0.choice(1, of: CommunityRole.self))
        }
        return ModerationAuthority(
            user: user, siteRole: siteRole, communities: Dictionary(roles) { first, _ in first })
    }

    static let siteRoleQuery = "SELECT site_role FROM account WHERE id = ?1 AND deleted_at IS NULL"
    static let moderatedQuery =
        "SELECT community_id, role FROM community_member WHERE user_id = ?1 AND role <> \(CommunityRole.member.literal)"

    /// Checks that `actor` may do `action`, and throws otherwise. A nil actor is graphd itself, which may do
    /// everything. `target` is the affected user. `isOwnAct` is true if callers revert their own act; the target's
    /// current rank does not matter then.
    func judge(
        _ action: ModerationAction, by actor: ModerationAuthority?, in community: CommunityID?, on target: UserID?,
        isOwnAct: Bool = false
    ) throws {
        guard let actor else { return }
        guard actor.may(action, in: community) else { throw ModerationError.notPermitted(action) }
        guard let target else { return }
        if target == actor.user {
            guard action.isForOwnContent else { throw ModerationError.ownAffair }
            return
        }
        guard action.isAgainstPerson, !isOwnAct else { return }
        let ranks = try ranks(of: [actor.user, target], in: community)
        guard ranks[0].isAbove(ranks[1]) else { throw ModerationError.outranked }
    }

    /// The ranks of `users`, in one round trip.
    private func ranks(of users: [UserID], in community: CommunityID?) throws -> [ModeratorRank] {
        var ranks = users.map { _ in ModeratorRank(role: .user, promotedAt: 0) }
        let ofCommunity = users.flatMap { user in
            community.map { [SQLQuery(Self.rankQuery, [.user(user), .community($0)])] } ?? []
        }
        // Roles of the site come last, because they stand above all others.
        let queries = ofCommunity + users.map { SQLQuery(Self.siteRoleQuery, [.user($0)]) }
        try reader.fetch(queries) { membership, row in
            let index = membership % users.count
            if membership < ofCommunity.count {
                switch try row.choice(0, of: CommunityRole.self) {
                case .owner: ranks[index] = ModeratorRank(role: .communityOwner, promotedAt: 0)
                case .moderator:
                    ranks[index] = ModeratorRank(
                        role: .communityModerator, promotedAt: row.optionalInteger(1) ?? .max)
                case .member: break
                }
            } else {
                switch try row.optionalChoice(0, of: SiteRole.self) {
                case .admin: ranks[index] = ModeratorRank(role: .admin, promotedAt: 0)
                case .moderator: ranks[index] = ModeratorRank(role: .siteModerator, promotedAt: 0)
                case nil: break
                }
            }
            return false
        }
        return ranks
    }

    static let rankQuery = "SELECT role, promoted_at FROM community_member WHERE user_id = ?1 AND community_id = ?2"
}
