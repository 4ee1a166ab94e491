import Database
import SocialGraph

/// The addresses, as digests, that an account has logged in from. An attacker who guesses its password from elsewhere
/// cannot lock its owner out.
extension SessionStore {
    /// Stores an address of `user`: at most ``SessionLimits/knownAddressesPerUser``, the most recently used. Without
    /// effect for an account that no longer exists.
    package func rememberAddress(_ digest: [UInt8], of user: UserID) async throws {
        try await database.write { transaction in
            guard try AccountStore.Reader(transaction).tokenEpoch(user) != nil else { return }
            try transaction.execute(
                """
                INSERT INTO known_address (user_id, digest, used_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (user_id, digest) DO UPDATE SET used_at = ?3
                """, [.user(user), .blob(digest), .integer(transaction.now)])
            let known = try transaction.rows(Self.knownAddressesQuery, [.user(user)]) {
                (digest: $0.blob(0), usedAt: $0.integer(1))
            }
            guard known.count > SessionLimits.knownAddressesPerUser else { return }
            let others = known.filter { $0.digest != digest }
            guard let oldest = others.min(by: { $0.usedAt < $1.usedAt }) else { return }
            try transaction.execute(
                "DELETE FROM known_address WHERE user_id = ?1 AND digest = ?2",
                [.user(user), .blob(oldest.digest)])
        }
    }

    static let knownAddressesQuery = "SELECT digest, used_at FROM known_address WHERE user_id = ?1"

    /// Returns true if `user` has logged in from the address.
    package func knowsAddress(_ digest: [UInt8], of user: UserID) async throws -> Bool {
        try await database.read { reader in
            try reader.exists(Self.knownAddressProbe, [.user(user), .blob(digest)])
        }
    }

    static let knownAddressProbe = "SELECT 1 FROM known_address WHERE user_id = ?1 AND digest = ?2"
}
