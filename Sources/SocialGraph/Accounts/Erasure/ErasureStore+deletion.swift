import Database

/// Deletion of an account. One transaction hides everything of it; an erasure then removes the hidden rows in bounded
/// steps, across processes and restarts if need be.
extension ErasureStore {
    /// Deletes an account. With the acknowledgement its tokens are invalid, its name and address are free, and it and
    /// its posts are hidden from everybody. ``eraseSome(of:)`` removes the rest. `epoch`: the epoch of the password
    /// that was checked; returns false if it is no longer the user's. Throws ``GraphError/accountNotFound``.
    @discardableResult package func deleteAccount(_ user: UserID, epoch: Int64? = nil) async throws -> Bool {
        try await database.write { transaction in
            guard let current = try AccountStore.Reader(transaction).tokenEpoch(user) else {
                throw GraphError.accountNotFound
            }
            if let epoch, epoch != current { return false }
            try transaction.graphHooks?.sessions.end(user, transaction)
            try transaction.graphHooks?.push.silence(user, transaction)
            try transaction.execute(
                """
                UPDATE account SET deleted_at = ?2, username = ?3, username_key = ?3, email = NULL, email_key = NULL,
                    password_hash = NULL, display_name = '', bio = '', picture_id = NULL, picture_url = NULL,
                    is_business = 0, updated_at = ?2
                WHERE id = ?1
                """,
                [.user(user), .integer(transaction.now), .text(Self.tombstone(of: user))])
            try transaction.execute(
                "UPDATE identity SET refused_until = ?2 WHERE user_id = ?1",
                [.user(user), .integer(transaction.now + SocialGraphLimits.identityRefusal)])
            transaction.index(.account(user))
            try transaction.execute("INSERT INTO erasure (user_id) VALUES (?1)", [.user(user)])
            try OutboxStore.Writer(transaction).enqueue(.evict(viewers: [user]))
            try transaction.record(.accountDeleted(user))
            return true
        }
    }

    /// A username that nobody can choose: chosen ones have no hyphen.
    private static func tombstone(of user: UserID) -> String { "deleted-\(user.rawValue)" }

    /// Accounts whose erasure is not finished.
    package func erasures() async throws -> [UserID] {
        try await database.read { reader in
            try reader.rows(Self.erasuresQuery, []) { UserID(rawValue: $0.integer(0)) }
        }
    }

    static let erasuresQuery = "SELECT user_id FROM erasure ORDER BY user_id"
}
