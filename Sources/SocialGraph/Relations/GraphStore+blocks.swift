extension GraphStore {
    /// Blocks; true if that was new. Idempotent. Neither sees the other's posts from the acknowledgement on; follows
    /// between them end, both ways, as do collaborations and invitations on each other's posts, and where both are
    /// collaborators of somebody else's post, the blocker leaves it.
    /// Throws ``GraphError/selfBlock``, ``GraphError/accountNotFound``, ``GraphError/limitReached(_:)``.
    @discardableResult
    package func block(_ blocker: UserID, _ blocked: UserID) async throws -> Bool {
        guard blocker != blocked else { throw GraphError.selfBlock }
        return try await database.write { transaction in
            try Self.requireAccounts([blocker, blocked], in: transaction)
            let pair: [SQLValue] = [.user(blocker), .user(blocked)]
            if try transaction.exists(Self.blockProbe, pair) { return false }
            try Self.requireRoom(
                "SELECT COUNT(*) FROM block WHERE blocker_id = ?1", [.user(blocker)],
                below: SocialGraphLimits.relationsPerUser, "blocks", transaction)
            try transaction.execute(
                "INSERT INTO block (blocker_id, blocked_id, position) VALUES (?1, ?2, ?3)",
                pair + [.integer(try transaction.nextID())])
            _ = try Self.removeFollow(blocker, blocked, in: transaction)
            _ = try Self.removeFollow(blocked, blocker, in: transaction)
            try Self.partCollaborators(blocker, blocked, in: transaction)
            try Self.withdrawNotifications(to: blocker, of: blocked, in: transaction)
            try Self.withdrawNotifications(to: blocked, of: blocker, in: transaction)
            try transaction.record(
                GraphChange(.relationChanged, subject: blocker.rawValue, object: blocked.rawValue))
            return true
        }
    }

    /// Unblocks; true if there was a block. Idempotent. What the block hid is back with the acknowledgement; follows
    /// and collaborations that it ended are not.
    @discardableResult
    package func unblock(_ blocker: UserID, _ blocked: UserID) async throws -> Bool {
        guard blocker != blocked else { throw GraphError.selfBlock }
        return try await database.write { transaction in
            try Self.requireAccounts([blocker, blocked], in: transaction)
            let removed = try transaction.execute(
                "DELETE FROM block WHERE blocker_id = ?1 AND blocked_id = ?2", [.user(blocker), .user(blocked)])
            guard removed > 0 else { return false }
            try transaction.record(
                GraphChange(.relationChanged, subject: blocker.rawValue, object: blocked.rawValue))
            return true
        }
    }

    static let blockProbe = "SELECT 1 FROM block WHERE blocker_id = ?1 AND blocked_id = ?2"

    static let anyBlockProbe = "SELECT 1 FROM block LIMIT 1"

    /// Whether either has blocked the other.
    static func isBlocked(_ one: UserID, _ other: UserID, _ reader: any SQLReader) throws -> Bool {
        try reader.exists(blockProbe, [.user(one), .user(other)])
            || reader.exists(blockProbe, [.user(other), .user(one)])
    }

    /// Whom `user` has blocked, the latest first.
    package func blocks(of user: UserID, below cursor: Int64?, limit: Int) async throws -> Page<FollowEntry, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.blocksQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                FollowEntry.init(row:))
            return Page(rows: rows, limit: limit, cursor: \.position)
        }
    }

    static let blocksQuery = """
        SELECT b.blocked_id, a.username, b.position FROM block b JOIN account a ON a.id = b.blocked_id
        WHERE b.blocker_id = ?1 AND b.position < ?2 AND a.deleted_at IS NULL ORDER BY b.position DESC LIMIT ?3
        """

    private static func partCollaborators(
        _ blocker: UserID, _ blocked: UserID, in transaction: any GraphTransaction
    ) throws {
        let shared = try transaction.rows(sharedPostsQuery, [.user(blocker), .user(blocked)]) {
            (post: PostID(rawValue: $0.integer(0)), leaving: UserID(rawValue: $0.integer(1)))
        }
        for (post, leaving) in shared { try endCollaboration(of: leaving, on: post, in: transaction) }
    }

    /// Posts that one made and the other was asked into, and posts of others that both were asked into.
    static let sharedPostsQuery = """
        SELECT c.post_id, c.user_id FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?2 AND p.author_id = ?1 AND p.deleted_at IS NULL
        UNION ALL
        SELECT c.post_id, c.user_id FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND p.deleted_at IS NULL AND (p.author_id = ?2 OR EXISTS (
            SELECT 1 FROM post_collaborator o WHERE o.post_id = c.post_id AND o.user_id = ?2))
        """

    static func requireRoom(
        _ count: String, _ arguments: [SQLValue], below limit: Int64, _ name: String, _ reader: any SQLReader
    ) throws {
        guard try (reader.first(count, arguments) { $0.integer(0) } ?? 0) < limit else {
            throw GraphError.limitReached("\(limit) \(name)")
        }
    }
}
