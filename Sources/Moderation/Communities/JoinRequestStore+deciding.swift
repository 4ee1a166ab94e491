import Audit
import Database
import SocialGraph

/// Decisions of moderators about join requests, and changes of their community.
extension JoinRequestStore {
    /// Open requests for moderators, the oldest last, strictly below the position `cursor`. Throws
    /// ``GraphError/communityNotFound`` and ``GraphError/notModerator``.
    package func joinRequests(
        to community: CommunityID, for moderator: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await database.read { reader in
            try Reader(reader).requireModerator(moderator, of: community)
            let rows = try reader.rows(
                Self.requestsQuery, [.community(community), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                FollowEntry.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.position)
        }
    }

    package static let requestsQuery = """
        SELECT r.user_id, a.username, r.position FROM community_request r JOIN account a ON a.id = r.user_id
        WHERE r.community_id = ?1 AND r.position < ?2 AND a.suspended_at IS NULL ORDER BY r.position DESC LIMIT ?3
        """

    /// Approves a user's join request. Idempotent. Throws ``GraphError/communityNotFound``,
    /// ``GraphError/notModerator``, ``GraphError/joinRequestNotFound``, ``GraphError/bannedFromCommunity``, and
    /// ``GraphError/limitReached(_:)`` for the number of communities that the user has joined.
    package func approveRequest(of user: UserID, to community: CommunityID, by moderator: UserID) async throws {
        try await decide(.approveRequest, user, community, moderator, reason: "Request approved.")
    }

    /// Declines a user's join request. Throws ``GraphError/communityNotFound``, ``GraphError/notModerator`` and
    /// ``GraphError/joinRequestNotFound``.
    package func declineRequest(of user: UserID, to community: CommunityID, by moderator: UserID) async throws {
        try await decide(.declineRequest, user, community, moderator, reason: "Request declined.")
    }

    private func decide(
        _ action: ModerationAction, _ user: UserID, _ community: CommunityID, _ moderator: UserID, reason: String
    ) async throws {
        let order = ModerationOrder(action, [.user(user)], community: community, reason: reason)
        do {
            _ = try await GraphStore(database: database).moderation.moderate(order, by: moderator)
        } catch ModerationError.notPermitted {
            throw GraphError.notModerator
        } catch ModerationError.subjectNotFound, ModerationError.ownAffair, ModerationError.neverMember {
            throw GraphError.joinRequestNotFound
        }
    }

    /// Changes the fields that are not nil: the description, for moderators, and the privacy of the community, only for
    /// its owner and with an entry in the modlog. Descriptions changed by the site's moderators are in the audit. Posts
    /// from a private period stay visible only to members. Throws ``GraphError/communityNotFound``,
    /// ``GraphError/notModerator``, ``ModerationError/notPermitted(_:)``, ``ModerationError/siteDecision`` and
    /// ``GraphError/refusedByRule(_:)``.
    package func changeCommunity(
        _ id: CommunityID, by moderator: UserID, description: String? = nil, isPrivate: Bool? = nil
    ) async throws -> Community {
        try await ScreeningStore(database: database, screeningState: GraphStore(database: database).screeningState)
            .writeScreened(
                ScreeningDraft(of: [description], by: moderator)
            ) { screening, transaction in
                try Reader(transaction).requireModerator(moderator, of: id)
                try ScreeningStore.Writer(transaction).screen(
                    [description], of: .community(id), by: moderator, screening)
                let before = try CommunityStore.Reader(transaction).community(id)
                if let description {
                    try transaction.execute(
                        "UPDATE community SET description = ?2 WHERE id = ?1", [.community(id), .text(description)])
                }
                if let description, description != before.description {
                    try AuditStore.Writer(transaction).appendSiteAct(
                        .communityDescribed, by: moderator, subject: id.rawValue)
                }
                if let isPrivate, isPrivate != before.isPrivate {
                    let order = ModerationOrder(
                        isPrivate ? .makeCommunityPrivate : .makeCommunityPublic, [.community(id)],
                        reason: isPrivate ? "Made private." : "Made public.")
                    _ = try ModerationStore.Writer(transaction).carryOut(order, by: moderator)
                }
                try transaction.record(.communityChanged(id))
                return try CommunityStore.Reader(transaction).community(id)
            }
    }
}

extension JoinRequestStore.Reader {
    func requireModerator(_ user: UserID, of community: CommunityID) throws {
        _ = try CommunityStore.Reader(reader).community(community)
        guard try ModerationStore.Reader(reader).authority(of: user).role(in: community) >= .communityModerator else {
            throw GraphError.notModerator
        }
    }
}
