import Database
import SocialGraph

/// Requests to follow private accounts: the lists of both sides, and the decisions.
package struct FollowRequestStore: Sendable {
    /// Requests that one step of the approval after an opening decides.
    package static let stepLength = 100

    let database: any GraphDatabase
}

extension FollowRequestStore {
    /// Waiting requests to follow `user`, the latest first, strictly below the position `cursor`.
    package func requests(
        to user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await list(Self.requestsQuery, of: user, below: cursor, limit: limit)
    }

    /// Waiting requests by `user`, the latest first, strictly below the position `cursor`.
    package func sentRequests(
        by user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await list(Self.sentRequestsQuery, of: user, below: cursor, limit: limit)
    }

    private func list(
        _ query: String, of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<FollowEntry, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                query, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))], FollowEntry.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.position)
        }
    }

    package static let requestsQuery = """
        SELECT r.requester_id, a.username, r.position FROM follow_request r JOIN account a ON a.id = r.requester_id
        WHERE r.target_id = ?1 AND r.position < ?2 AND a.deleted_at IS NULL AND a.suspended_at IS NULL
        ORDER BY r.position DESC LIMIT ?3
        """

    package static let sentRequestsQuery = """
        SELECT r.target_id, a.username, r.position FROM follow_request r JOIN account a ON a.id = r.target_id
        WHERE r.requester_id = ?1 AND r.position < ?2 AND a.deleted_at IS NULL AND a.suspended_at IS NULL
        ORDER BY r.position DESC LIMIT ?3
        """

    /// Approves a request, which becomes a follow and is announced to the follower. Idempotent. Throws
    /// ``GraphError/accountNotFound`` and ``GraphError/followRequestNotFound``.
    package func approve(_ follower: UserID, by owner: UserID) async throws {
        try await database.write { transaction in
            let facts = try transaction.exist([
                BlockAndMuteStore.Reader.shownProbe(follower, to: owner),
                SQLQuery(FollowStore.Reader.requestProbe, [.user(follower), .user(owner)]),
                SQLQuery(FollowStore.Reader.followProbe, [.user(follower), .user(owner)]),
            ])
            guard facts[0] else { throw GraphError.accountNotFound }
            guard facts[1] else {
                if facts[2] { return }
                throw GraphError.followRequestNotFound
            }
            try Self.accept(follower, owner, follows: facts[2], transaction)
        }
    }

    /// Declines a request without a message to its sender; true if there was one. Idempotent.
    @discardableResult package func decline(_ follower: UserID, by owner: UserID) async throws -> Bool {
        try await database.write { transaction in
            try FollowStore.Writer(transaction).removeRequest(follower, owner)
        }
    }

    private static func accept(
        _ follower: UserID, _ owner: UserID, follows: Bool, _ transaction: any GraphTransaction
    ) throws {
        _ = try FollowStore.Writer(transaction).removeRequest(follower, owner)
        // An import may have brought the follow meanwhile.
        if follows { return }
        try FollowStore.Writer(transaction).connect(follower, owner)
        try NotificationStore.Writer(transaction).notify([follower], .followAccepted, subject: 0, by: owner)
    }

    // MARK: Openings

    /// Accounts that were made public while requests waited.
    package func openedAccounts() async throws -> [UserID] {
        try await database.read { reader in
            try reader.rows(Self.openedAccountsQuery, []) { UserID(rawValue: $0.integer(0)) }
        }
    }

    static let openedAccountsQuery = "SELECT user_id FROM opened_account ORDER BY user_id"

    /// Approves up to `limit` requests to a user who has made the account public, the oldest first; false: none is
    /// left.
    package func approveWaiting(of user: UserID, limit: Int = FollowRequestStore.stepLength) async throws -> Bool {
        try await database.write { transaction in
            guard try transaction.exists(Self.openingProbe, [.user(user)]) else { return false }
            let waiting = try transaction.rows(
                Self.oldestRequestsQuery, [.user(user), .integer(Int64(limit))]
            ) { (follower: UserID(rawValue: $0.integer(0)), isGone: $0.integer(1) != 0, follows: $0.integer(2) != 0) }
            // One by one, as their owner would: each is a follow with all that depends on it.
            for request in waiting {
                if request.isGone {
                    _ = try FollowStore.Writer(transaction).removeRequest(request.follower, user)
                } else {
                    try Self.accept(request.follower, user, follows: request.follows, transaction)
                }
            }
            guard waiting.count < limit else { return true }
            try transaction.execute("DELETE FROM opened_account WHERE user_id = ?1", [.user(user)])
            return false
        }
    }

    static let openingProbe = """
        SELECT 1 FROM opened_account o JOIN account a ON a.id = o.user_id
        WHERE o.user_id = ?1 AND a.is_private = 0 AND a.deleted_at IS NULL
        """

    static let oldestRequestsQuery = """
        SELECT r.requester_id, a.deleted_at IS NOT NULL OR a.suspended_at IS NOT NULL,
            EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = r.requester_id AND f.followee_id = ?1)
        FROM follow_request r JOIN account a ON a.id = r.requester_id
        WHERE r.target_id = ?1 ORDER BY r.position LIMIT ?2
        """
}
