import Database
import SocialGraph

/// Warnings in force.
extension ModlogStore {
    /// The warnings of `user` in force, the latest first, optionally limited to `community`; at most
    /// ``ModerationLimits/strikesShown`` of them.
    package func strikes(of user: UserID, in community: CommunityID? = nil) async throws -> [Strike] {
        try await database.read { try Reader($0).strikes(of: user, in: community) }
    }
}

extension ModlogStore.Reader {
    func strikes(of user: UserID, in community: CommunityID?) throws -> [Strike] {
        let query = community == nil ? Self.strikesQuery : Self.strikesInCommunityQuery
        let place = community.map { [SQLValue.community($0)] } ?? []
        let limit = SQLValue.integer(Int64(ModerationLimits.strikesShown))
        return try reader.rows(query, [.user(user), limit] + place) { row in
            Strike(
                entry: ModlogEntryID(rawValue: row.integer(0)),
                community: row.optionalInteger(1).map(CommunityID.init(rawValue:)), reason: row.text(2),
                createdAt: row.integer(3), endsAt: row.optionalInteger(4))
        }
    }

    /// The number of warnings of each of `users` in force in `community`, in one round trip.
    func strikesCounts(of users: [UserID], in community: CommunityID) throws -> [Int64] {
        let queries = users.map { SQLQuery(Self.strikesCountQuery, [.user($0), .community(community)]) }
        return try reader.first(of: queries) { $0.integer(0) }.map { $0 ?? 0 }
    }

    private static let strikeColumns = "SELECT e.seq, e.community_id, e.reason, e.created_at, e.ends_at"

    /// In the order of the modlog: no index has the effects of all communities in their order. A join, or `EXISTS`,
    /// would let PostgreSQL collect all effects in force.
    static let strikesQuery = """
        \(strikeColumns) FROM moderation_entry e
        WHERE e.subject_kind = \(ModerationSubjectKind.user.literal) AND e.subject_id = ?1
            AND e.action = \(ModerationAction.warnUser.literal)
            AND (SELECT MIN(f.seq) FROM moderation_effect f WHERE f.seq = e.seq AND f.ended_at IS NULL) IS NOT NULL
        ORDER BY e.seq DESC LIMIT ?2
        """
    static let strikesInCommunityQuery = """
        \(strikeColumns) FROM moderation_effect f JOIN moderation_entry e ON e.seq = f.seq
        WHERE f.subject_id = ?1 AND f.facet = \(Facet.strike.literal) AND f.community_id = ?3 AND f.ended_at IS NULL
        ORDER BY f.id DESC LIMIT ?2
        """
    static let strikesCountQuery = """
        SELECT COUNT(*) FROM moderation_effect
        WHERE subject_id = ?1 AND facet = \(Facet.strike.literal) AND community_id = ?2 AND ended_at IS NULL
        """
}
