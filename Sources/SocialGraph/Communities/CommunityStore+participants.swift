import Database

/// Participants of a community besides its members: its moderators may act on them and read their record there.
extension CommunityStore.Writer {
    /// Records `user`, who leaves or comments, as a participant.
    package func rememberParticipant(_ user: UserID, in community: CommunityID) throws {
        try transaction.execute(
            """
            INSERT INTO community_participant (user_id, community_id) VALUES (?1, ?2)
            ON CONFLICT (user_id, community_id) DO NOTHING
            """, [.user(user), .community(community)])
    }

    /// Removes up to `limit` communities of a deleted account; false once none is left.
    func eraseParticipation(_ user: UserID, _ limit: Int) throws -> Bool {
        try transaction.executeCounting(
            """
            DELETE FROM community_participant WHERE user_id = ?1 AND community_id IN (
                SELECT community_id FROM community_participant WHERE user_id = ?1 LIMIT ?2)
            """, [.user(user), .integer(Int64(limit))]) > 0
    }
}
