import Database
import SocialGraph

/// Second factors of log-ins. An account has one from the moment at which its owner has proven that the authenticator
/// works. A code is accepted once, and so is a recovery code.
package struct TOTPStore: Sendable {
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
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

/// The second factor of an account.
package struct TOTPState: Sendable, Equatable {
    package let isEnabled: Bool
    package let recoveryCodesLeft: Int
}

extension TOTPStore {
    package func state(of user: UserID) async throws -> TOTPState {
        try await database.read { reader in
            let left = try reader.first(Self.codesLeftQuery, [.user(user)]) { $0.integer(0) } ?? 0
            return TOTPState(isEnabled: try Reader(reader).isEnabled(of: user), recoveryCodesLeft: Int(left))
        }
    }

    package func isEnabled(of user: UserID) async throws -> Bool {
        try await database.read { try Reader($0).isEnabled(of: user) }
    }

    static let codesLeftQuery = "SELECT COUNT(*) FROM recovery_code WHERE user_id = ?1"

    /// Stores a new secret, which replaces one that is not confirmed; nil if the account has a second factor. Throws
    /// ``GraphError/accountNotFound``.
    package func begin(of user: UserID) async throws -> TOTPSecret? {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            guard try !Reader(transaction).isEnabled(of: user) else { return nil }
            let secret = TOTPSecret()
            try transaction.execute(
                """
                INSERT INTO totp (user_id, secret, created_at, last_step) VALUES (?1, ?2, ?3, 0)
                ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
                """, [.user(user), .blob(secret.bytes), .integer(transaction.now)])
            return secret
        }
    }

    /// The outcome of a confirmation.
    package enum Confirmation: Sendable {
        /// With the first recovery codes.
        case enabled([RecoveryCode])
        case wrongCode
        case notBegun
        case alreadyEnabled
    }

    /// Gives the account its second factor if `code` is one of the secret's, and ends every session other than
    /// `session`, because nobody has proven a code there.
    package func confirm(
        _ code: String, of user: UserID, keeping session: SessionID?, from origin: LoginOrigin
    ) async throws -> Confirmation {
        try await database.write { transaction in
            guard let found = try Reader(transaction).authenticator(of: user) else { return .notBegun }
            guard !found.isConfirmed else { return .alreadyEnabled }
            guard let step = found.secret.step(of: code, at: transaction.wallTime, after: found.lastStep) else {
                return .wrongCode
            }
            try transaction.execute(
                "UPDATE totp SET confirmed_at = ?2, last_step = ?3 WHERE user_id = ?1",
                [.user(user), .integer(transaction.now), .integer(step)])
            try SessionStore.Writer(transaction).endSessions(of: user, but: session)
            try SessionStore.Writer(transaction).noteLogin(.totpEnabled, of: user, from: origin)
            try MailQueueStore.Writer(transaction).queueNotice(.totpEnabled, to: user, from: origin)
            return .enabled(try Writer(transaction).replaceRecoveryCodes(of: user))
        }
    }

    /// Accepts a second factor, which is then spent; false if it is wrong, spent, or the account has none. A wrong one
    /// is recorded in the user's log.
    package func spend(_ proof: TOTPProof, of user: UserID, from origin: LoginOrigin) async throws -> Bool {
        try await database.write { try Writer($0).spend(proof, of: user, from: origin) }
    }

    /// Replaces the recovery codes, for the owner who proves a second factor; nil if that is wrong.
    package func replaceRecoveryCodes(
        of user: UserID, by proof: TOTPProof, from origin: LoginOrigin
    ) async throws -> [RecoveryCode]? {
        try await database.write { transaction in
            guard try Writer(transaction).spend(proof, of: user, from: origin) else { return nil }
            return try Writer(transaction).replaceRecoveryCodes(of: user)
        }
    }

    /// Removes the second factor, for the owner who proves it; false if that is wrong.
    package func remove(of user: UserID, by proof: TOTPProof, from origin: LoginOrigin) async throws -> Bool {
        try await database.write { transaction in
            guard try Writer(transaction).spend(proof, of: user, from: origin) else { return false }
            try Writer(transaction).remove(of: user, from: origin)
            return true
        }
    }
}

extension TOTPStore.Reader {
    fileprivate struct Authenticator {
        let secret: TOTPSecret
        let isConfirmed: Bool
        let lastStep: Int64
    }

    package func isEnabled(of user: UserID) throws -> Bool {
        try reader.exists(Self.enabledQuery, [.user(user)])
    }

    static let enabledQuery = "SELECT 1 FROM totp WHERE user_id = ?1 AND confirmed_at IS NOT NULL"

    fileprivate func authenticator(of user: UserID) throws -> Authenticator? {
        try reader.first(Self.authenticatorQuery, [.user(user)]) {
            Authenticator(
                secret: TOTPSecret(bytes: $0.blob(0)), isConfirmed: $0.optionalInteger(1) != nil,
                lastStep: $0.integer(2))
        }
    }

    static let authenticatorQuery = "SELECT secret, confirmed_at, last_step FROM totp WHERE user_id = ?1"
}

extension TOTPStore.Writer {
    fileprivate func spend(_ proof: TOTPProof, of user: UserID, from origin: LoginOrigin) throws -> Bool {
        guard let found = try stored.authenticator(of: user), found.isConfirmed else { return false }
        let isRight =
            switch proof {
            case .code(let code): try spend(code, of: found, of: user)
            case .recoveryCode(let code): try spend(code, of: user)
            }
        if !isRight { try SessionStore.Writer(transaction).noteLogin(.wrongCode, of: user, from: origin) }
        return isRight
    }

    private func spend(_ code: String, of found: TOTPStore.Reader.Authenticator, of user: UserID) throws -> Bool {
        guard let step = found.secret.step(of: code, at: transaction.wallTime, after: found.lastStep) else {
            return false
        }
        try transaction.execute("UPDATE totp SET last_step = ?2 WHERE user_id = ?1", [.user(user), .integer(step)])
        return true
    }

    private func spend(_ code: RecoveryCode, of user: UserID) throws -> Bool {
        let deleted = try transaction.rows(
            "DELETE FROM recovery_code WHERE user_id = ?1 AND digest = ?2 RETURNING user_id",
            [.user(user), .blob(code.digest)]
        ) { $0.integer(0) }
        return !deleted.isEmpty
    }

    fileprivate func replaceRecoveryCodes(of user: UserID) throws -> [RecoveryCode] {
        try transaction.execute("DELETE FROM recovery_code WHERE user_id = ?1", [.user(user)])
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode() }
        let rows = codes.indices.map { "(?1, ?\($0 + 2))" }.joined(separator: ", ")
        try transaction.execute(
            "INSERT INTO recovery_code (user_id, digest) VALUES \(rows)",
            [.user(user)] + codes.map { .blob($0.digest) })
        return codes
    }

    /// Removes the second factor, for the operator of the machine; false if the account has none. Throws
    /// ``GraphError/accountNotFound``.
    package func removeUnproven(of user: UserID, from origin: LoginOrigin) throws -> Bool {
        try AccountStore.Reader(transaction).requireAccounts([user])
        guard try stored.isEnabled(of: user) else { return false }
        try remove(of: user, from: origin)
        return true
    }

    fileprivate func remove(of user: UserID, from origin: LoginOrigin) throws {
        try forget(of: user)
        try SessionStore.Writer(transaction).noteLogin(.totpRemoved, of: user, from: origin)
        try MailQueueStore.Writer(transaction).queueNotice(.totpRemoved, to: user, from: origin)
    }

    /// Deletes the second factor of an account.
    func forget(of user: UserID) throws {
        try transaction.execute("DELETE FROM recovery_code WHERE user_id = ?1", [.user(user)])
        try transaction.execute("DELETE FROM totp WHERE user_id = ?1", [.user(user)])
    }

    /// Deletes secrets that nobody has confirmed in time.
    func prune() throws {
        try transaction.execute(
            "DELETE FROM totp WHERE confirmed_at IS NULL AND created_at < ?1",
            [.integer(transaction.expiryTime - SessionLimits.totpConfirmationTime)])
    }
}
