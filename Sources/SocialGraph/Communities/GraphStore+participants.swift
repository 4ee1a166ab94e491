/// Who has had to do with a community: those on whom its moderators may act, and whose record there they may read.
extension GraphStore {
    /// Whether `user` is or was a member of `community`, has asked to join, is banned, or has commented there.
    static func isParticipant(
        _ user: UserID, in community: CommunityID, _ reader: any SQLReader
    ) throws -> Bool {
        try reader.exists(participantProbe, [.user(user), .community(community)])
    }

    static let participantProbe = """
        SELECT 1 FROM community_member WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_participant WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_ban WHERE user_id = ?1 AND community_id = ?2
        UNION ALL SELECT 1 FROM community_request WHERE user_id = ?1 AND community_id = ?2
        LIMIT 1
        """

    /// Remembers `user`, who leaves or comments.
    static func rememberParticipant(
        _ user: UserID, in community: CommunityID, _ transaction: any GraphTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO community_participant (user_id, community_id) VALUES (?1, ?2)
            ON CONFLICT (user_id, community_id) DO NOTHING
            """, [.user(user), .community(community)])
    }

    /// Removes up to `limit` communities of a deleted account; false once none is left.
    static func eraseParticipation(
        _ user: UserID, _ limit: Int, _ transaction: any GraphTransaction
    ) throws -> Bool {
        try transaction.execute(
            """
            DELETE FROM community_participant WHERE user_id = ?1 AND community_id IN (
                SELECT community_id FROM community_participant WHERE user_id = ?1 LIMIT ?2)
            """, [.user(user), .integer(Int64(limit))]) > 0
    }

    /// Throws ``ModerationError/neverMember(_:)`` where a community's role would act on a stranger to the community.
    static func requireParticipant(
        _ order: ModerationOrder, _ target: ModerationTarget, _ reader: any SQLReader
    ) throws {
        guard case .user(let user) = target.subject, let community = target.community else { return }
        guard try isParticipant(user, in: community, reader) else { throw ModerationError.neverMember(user) }
    }
}
