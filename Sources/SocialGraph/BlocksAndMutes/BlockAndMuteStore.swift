import Database

/// Blocks and mutes.
package struct BlockAndMuteStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension BlockAndMuteStore {
    /// Blocks; true if the block is new. Idempotent. From the acknowledgement on, neither sees the other's posts.
    /// Follows and requests to follow between them end, both ways, as do collaborations and invitations on each other's
    /// posts. If both are collaborators on another user's post, the blocker leaves it. Throws
    /// ``GraphError/selfBlock``, ``GraphError/accountNotFound``, ``GraphError/limitReached(_:)``.
    @discardableResult package func block(_ blocker: UserID, _ blocked: UserID) async throws -> Bool {
        guard blocker != blocked else { throw GraphError.selfBlock }
        return try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([blocker, blocked])
            let pair: [SQLValue] = [.user(blocker), .user(blocked)]
            if try transaction.exists(Self.blockProbe, pair) { return false }
            try Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM block WHERE blocker_id = ?1", [.user(blocker)],
                below: SocialGraphLimits.blocksOrMutesPerUser, "blocks")
            try transaction.execute(
                "INSERT INTO block (blocker_id, blocked_id, position) VALUES (?1, ?2, ?3)",
                pair + [.integer(try transaction.nextID())])
            let follows = FollowStore.Writer(transaction)
            for (one, other) in [(blocker, blocked), (blocked, blocker)] {
                _ = try follows.removeFollow(one, other)
                _ = try follows.removeRequest(one, other)
            }
            try Writer(transaction).partCollaborators(blocker, blocked)
            try NotificationStore.Writer(transaction).withdrawNotifications(to: blocker, of: blocked)
            try NotificationStore.Writer(transaction).withdrawNotifications(to: blocked, of: blocker)
            try transaction.record(.blockOrMuteChanged(blocker, to: blocked))
            return true
        }
    }

    /// Unblocks; true if there was a block. Idempotent. Hidden content is visible again with the acknowledgement;
    /// follows and collaborations that the block ended are not restored.
    @discardableResult package func unblock(_ blocker: UserID, _ blocked: UserID) async throws -> Bool {
        guard blocker != blocked else { throw GraphError.selfBlock }
        return try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([blocker, blocked])
            let removed = try transaction.executeCounting(
                "DELETE FROM block WHERE blocker_id = ?1 AND blocked_id = ?2", [.user(blocker), .user(blocked)])
            guard removed > 0 else { return false }
            try transaction.record(.blockOrMuteChanged(blocker, to: blocked))
            return true
        }
    }

    static let blockProbe = "SELECT 1 FROM block WHERE blocker_id = ?1 AND blocked_id = ?2"

    /// A block between two users, in either direction.
    static let blockBetweenProbe = """
        SELECT 1 FROM block WHERE blocker_id = ?1 AND blocked_id = ?2
        UNION ALL SELECT 1 FROM block WHERE blocker_id = ?2 AND blocked_id = ?1
        """

    /// Every block between two of a list of users.
    static let blocksAmongQuery = ListQuery { list in
        "SELECT blocker_id, blocked_id FROM block WHERE blocker_id IN (\(list)) AND blocked_id IN (\(list))"
    }

    /// Finds a row if anybody has blocked anybody.
    package static let anyBlockProbe = "SELECT 1 FROM block LIMIT 1"

    /// The users that `user` has blocked, the latest first.
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
}

extension BlockAndMuteStore.Reader {
    /// Returns whether either has blocked the other.
    package func isBlocked(_ one: UserID, _ other: UserID) throws -> Bool {
        try reader.exists(BlockAndMuteStore.blockBetweenProbe, [.user(one), .user(other)])
    }

    /// Returns for each of `pairs`, of two users each, whether either has blocked the other, in one round trip.
    package func areBlocked(_ pairs: [[UserID]]) throws -> [Bool] {
        try reader.exist(pairs.map { SQLQuery(BlockAndMuteStore.blockBetweenProbe, $0.map(SQLValue.user)) })
    }

    package func requireRoom(_ count: String, _ arguments: [SQLValue], below limit: Int64, _ name: String) throws {
        guard try (reader.first(count, arguments) { $0.integer(0) } ?? 0) < limit else {
            throw GraphError.limitReached("\(limit) \(name)")
        }
    }
}

extension BlockAndMuteStore.Writer {
    fileprivate func partCollaborators(_ blocker: UserID, _ blocked: UserID) throws {
        let shared = try transaction.rows(Self.sharedPostsQuery, [.user(blocker), .user(blocked)]) {
            (post: PostID(rawValue: $0.integer(0)), leaving: UserID(rawValue: $0.integer(1)))
        }
        // Few posts are shared by two users of whom one blocks the other.
        for (post, leaving) in shared {
            try CollaborationStore.Writer(transaction).endCollaboration(of: leaving, on: post)
        }
    }

    /// Posts of one to which the other was invited, and posts of others to which both were invited.
    static let sharedPostsQuery = """
        SELECT c.post_id, c.user_id FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?2 AND p.author_id = ?1 AND p.deleted_at IS NULL
        UNION ALL
        SELECT c.post_id, c.user_id FROM post_collaborator c JOIN post p ON p.id = c.post_id
        WHERE c.user_id = ?1 AND p.deleted_at IS NULL AND (p.author_id = ?2 OR EXISTS (
            SELECT 1 FROM post_collaborator o WHERE o.post_id = c.post_id AND o.user_id = ?2))
        """
}
