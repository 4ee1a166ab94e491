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
            try Writer(transaction).rememberAddress(digest, of: user)
        }
    }

    /// Stores the address from which a new account was created, and sends a mail that confirms its email address.
    package func welcome(_ user: UserID, from origin: LoginOrigin, address digest: [UInt8]) async throws {
        try await database.write { transaction in
            guard try AccountStore.Reader(transaction).tokenEpoch(user) != nil else { return }
            try Writer(transaction).rememberAddress(digest, of: user)
            try AccountTokenStore.Writer(transaction).requestConfirmation(of: user, from: origin)
        }
    }

    static let knownAddressesQuery = "SELECT digest, used_at FROM known_address WHERE user_id = ?1"

    /// Returns true if `user` has logged in from the address.
    package func knowsAddress(_ digest: [UInt8], of user: UserID) async throws -> Bool {
        try await database.read { try Reader($0).knowsAddress(digest, of: user) }
    }

    static let knownAddressProbe = "SELECT 1 FROM known_address WHERE user_id = ?1 AND digest = ?2"
}

extension SessionStore.Reader {
    func knowsAddress(_ digest: [UInt8], of user: UserID) throws -> Bool {
        try reader.exists(SessionStore.knownAddressProbe, [.user(user), .blob(digest)])
    }
}

extension SessionStore.Writer {
    func rememberAddress(_ digest: [UInt8], of user: UserID) throws {
        try transaction.execute(
            """
            INSERT INTO known_address (user_id, digest, used_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (user_id, digest) DO UPDATE SET used_at = ?3
            """, [.user(user), .blob(digest), .integer(transaction.now)])
        let known = try transaction.rows(SessionStore.knownAddressesQuery, [.user(user)]) {
            (digest: $0.blob(0), usedAt: $0.integer(1))
        }
        guard known.count > SessionLimits.knownAddressesPerUser else { return }
        let others = known.filter { $0.digest != digest }
        guard let oldest = others.min(by: { $0.usedAt < $1.usedAt }) else { return }
        try transaction.execute(
            "DELETE FROM known_address WHERE user_id = ?1 AND digest = ?2", [.user(user), .blob(oldest.digest)])
    }
}
