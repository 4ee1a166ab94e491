import Database

extension CommunityStore.Writer {
    /// Makes the oldest moderator the owner of a community that has lost its owner, else the oldest member; a community
    /// without either stays as it is.
    func passOnOwnership(of community: CommunityID) throws {
        for role in [CommunityRole.moderator, .member] {
            let heir = try transaction.first(Self.heirQuery, [.community(community), .text(role.rawValue)]) {
                UserID(rawValue: $0.integer(0))
            }
            guard let heir else { continue }
            try transaction.execute(
                "UPDATE community_member SET role = ?4, promoted_at = ?3 WHERE user_id = ?1 AND community_id = ?2",
                [
                    .user(heir), .community(community), .integer(try transaction.nextID()),
                    .text(CommunityRole.owner.rawValue),
                ])
            return try transaction.record(.membershipChanged(heir, in: community))
        }
    }

    static let heirQuery = """
        SELECT m.user_id FROM community_member m JOIN account a ON a.id = m.user_id
        WHERE m.community_id = ?1 AND m.role = ?2 AND a.deleted_at IS NULL AND a.suspended_at IS NULL
        ORDER BY m.position LIMIT 1
        """
}
