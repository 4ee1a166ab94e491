import Database

/// Deleting an account: one transaction after which nobody sees anything of it, and an erasure that removes what is
/// hidden, a bounded step at a time, in whichever process and run it takes.
extension ErasureStore {
    /// Deletes an account: its tokens are dead, its name and address free, it and its posts hidden from everybody with
    /// the acknowledgement. ``eraseSome(of:)`` removes the rest. `epoch`: what the judged password belongs to; false
    /// if it is not the user's any more. Throws ``GraphError/accountNotFound``.
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
            try OutboxStore.Writer(transaction).enqueue(.drop(viewers: [user]))
            try transaction.record(.accountDeleted(user))
            return true
        }
    }

    /// No username that can be chosen: those have no hyphen.
    private static func tombstone(of user: UserID) -> String { "deleted-\(user.rawValue)" }

    /// Accounts of which something is still to be removed.
    package func erasures() async throws -> [UserID] {
        try await database.read { reader in
            try reader.rows(Self.erasuresQuery, []) { UserID(rawValue: $0.integer(0)) }
        }
    }

    static let erasuresQuery = "SELECT user_id FROM erasure ORDER BY user_id"
}
