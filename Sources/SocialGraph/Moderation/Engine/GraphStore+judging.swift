/// Who may do what to whom.
extension GraphStore {
    /// What `user` may do. Throws ``GraphError/accountNotFound``.
    package func authority(of user: UserID) async throws -> ModerationAuthority {
        try await database.read { try Self.authority(of: user, $0) }
    }

    static func authority(of user: UserID, _ reader: any SQLReader) throws -> ModerationAuthority {
        let siteRole = try reader.first(siteRoleQuery, [.user(user)]) { $0.optionalText(0) }
        guard let siteRole else { throw GraphError.accountNotFound }
        let roles = try reader.rows(moderatedQuery, [.user(user)]) {
            (CommunityID(rawValue: $0.integer(0)), CommunityRole(rawValue: $0.text(1)) ?? .member)
        }
        return ModerationAuthority(
            user: user, siteRole: siteRole.flatMap(SiteRole.init(rawValue:)),
            communities: Dictionary(roles) { first, _ in first })
    }

    static let siteRoleQuery = "SELECT site_role FROM account WHERE id = ?1 AND deleted_at IS NULL"
    static let moderatedQuery =
        "SELECT community_id, role FROM community_member WHERE user_id = ?1 AND role <> 'member'"

    /// Throws what keeps `actor` (nil: graphd itself) from `action`. `target`: whom it concerns. `isOwnAct`: the caller
    /// takes back what the caller did, so that the target's rank of today does not matter.
    static func judge(
        _ action: ModerationAction, by actor: ModerationAuthority?, in community: CommunityID?, on target: UserID?,
        isOwnAct: Bool = false, _ reader: any SQLReader
    ) throws {
        guard let actor else { return }
        guard actor.may(action, in: community) else { throw ModerationError.notPermitted(action) }
        guard let target else { return }
        if target == actor.user {
            guard action.isForOwnContent else { throw ModerationError.ownAffair }
            return
        }
        guard action.isAgainstPerson, !isOwnAct else { return }
        let (own, theirs) = (
            try rank(of: actor.user, in: community, reader), try rank(of: target, in: community, reader)
        )
        guard own.isAbove(theirs) else { throw ModerationError.outranked }
    }

    private static func rank(
        of user: UserID, in community: CommunityID?, _ reader: any SQLReader
    ) throws -> ModeratorRank {
        let siteRole = try reader.first(siteRoleQuery, [.user(user)]) { $0.optionalText(0) } ?? nil
        switch siteRole.flatMap(SiteRole.init(rawValue:)) {
        case .admin: return ModeratorRank(role: .admin, promotedAt: 0)
        case .moderator: return ModeratorRank(role: .siteModerator, promotedAt: 0)
        case nil: break
        }
        guard let community else { return ModeratorRank(role: .user, promotedAt: 0) }
        let place = try reader.first(rankQuery, [.user(user), .community(community)]) {
            (role: $0.text(0), promotedAt: $0.optionalInteger(1) ?? .max)
        }
        switch place.flatMap({ CommunityRole(rawValue: $0.role) }) {
        case .owner: return ModeratorRank(role: .communityOwner, promotedAt: 0)
        case .moderator: return ModeratorRank(role: .communityModerator, promotedAt: place?.promotedAt ?? .max)
        default: return ModeratorRank(role: .user, promotedAt: 0)
        }
    }

    static let rankQuery = "SELECT role, promoted_at FROM community_member WHERE user_id = ?1 AND community_id = ?2"
}
