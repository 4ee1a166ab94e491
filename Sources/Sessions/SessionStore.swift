import Database
import SocialGraph

/// The sessions of users. A refresh token is valid once. A token presented again has been stolen: one of the two uses
/// was not by its owner, so its session ends (RFC 9700, section 4.14.2).
package struct SessionStore: Sendable {
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

extension SessionStore {
    /// Opens a session; nil if `epoch` is no longer the user's, that is, if the password has changed since it was
    /// checked. With an `origin`, records the log-in in the user's log. With the digest of an `address`, remembers it,
    /// and queues a notice if it was not known. Beyond ``SessionLimits/sessionsPerUser`` the least recently used
    /// session ends. Throws ``GraphError/accountNotFound``.
    package func openSession(
        of user: UserID, epoch: Int64? = nil, refresh: RefreshGrant, from origin: LoginOrigin? = nil,
        address: [UInt8]? = nil
    ) async throws -> SessionGrant? {
        try await database.write { transaction in
            guard let current = try AccountStore.Reader(transaction).tokenEpoch(user) else {
                throw GraphError.accountNotFound
            }
            if let epoch, epoch != current { return nil }
            if let origin { try Writer(transaction).noteLogin(.success, of: user, from: origin) }
            if let address {
                if try !Reader(transaction).knowsAddress(address, of: user) {
                    try MailQueueStore.Writer(transaction).queueNotice(.newLogin, to: user, from: origin)
                }
                try Writer(transaction).rememberAddress(address, of: user)
            }
            return try Writer(transaction).openSession(of: user, refresh)
        }
    }

    /// Spends the refresh token of `digest` and replaces it with `refresh`, a token of the same family. Throws
    /// ``GraphError/refreshTokenInvalid`` for a token that is unknown, expired or spent; a spent one also ends its
    /// session.
    ///
    /// - Parameter family: digest of the part that all successors of a token share. A token of the family that is not
    ///   the session's present one is spent, however many have followed it.
    package func refreshSession(
        _ digest: [UInt8], family: [UInt8], with refresh: RefreshGrant, from origin: LoginOrigin? = nil
    ) async throws -> SessionGrant {
        let grant: SessionGrant? = try await database.write { transaction in
            let found = try transaction.first(Self.refreshQuery, [.blob(digest)]) {
                (
                    session: SessionID(rawValue: $0.integer(0)), user: UserID(rawValue: $0.integer(1)),
                    expiresAt: $0.integer(2)
                )
            }
            guard let found else {
                // Not thrown inside the transaction, because the end of the session must be committed.
                try Writer(transaction).endReused(digest, family, from: origin)
                return nil
            }
            guard transaction.expiryTime < found.expiresAt,
                let epoch = try AccountStore.Reader(transaction).tokenEpoch(found.user)
            else {
                return nil
            }
            let expiresAt = transaction.now + refresh.lifetime
            try Writer(transaction).remember(family, of: found.session, until: expiresAt)
            try transaction.execute(
                "UPDATE session SET refresh_digest = ?2, used_at = ?3, expires_at = ?4 WHERE id = ?1",
                [
                    .session(found.session), .blob(refresh.digest), .integer(transaction.now), .integer(expiresAt),
                ])
            return SessionGrant(user: found.user, session: found.session, epoch: epoch, expiresAt: expiresAt)
        }
        guard let grant else { throw GraphError.refreshTokenInvalid }
        return grant
    }

    static let refreshQuery = "SELECT id, user_id, expires_at FROM session WHERE refresh_digest = ?1"

    /// Ends a session before it returns; true if `user` had it. Idempotent.
    @discardableResult package func endSession(_ session: SessionID, of user: UserID) async throws -> Bool {
        try await database.write { transaction in
            let isOwn = try transaction.exists(
                "SELECT 1 FROM session WHERE id = ?1 AND user_id = ?2", [.session(session), .user(user)])
            if isOwn { try Writer(transaction).endSession(session, of: user) }
            return isOwn
        }
    }

    /// Ends every session of `user` and revokes every token of any kind before it returns. Throws
    /// ``GraphError/accountNotFound``.
    package func endAllSessions(of user: UserID) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            try Writer(transaction).endAllSessions(of: user)
        }
    }

    /// Sets a new password, ends every session and opens one, all in one transaction. Nil if `epoch` is no longer the
    /// user's, which makes the earlier check stale. Throws ``GraphError/accountNotFound``.
    package func changePassword(
        of user: UserID, to hash: String, epoch: Int64, refresh: RefreshGrant, from origin: LoginOrigin? = nil
    ) async throws -> SessionGrant? {
        try await database.write { transaction in
            guard let current = try AccountStore.Reader(transaction).tokenEpoch(user) else {
                throw GraphError.accountNotFound
            }
            guard epoch == current else { return nil }
            try Writer(transaction).setPassword(of: user, to: hash, from: origin)
            return try Writer(transaction).openSession(of: user, refresh)
        }
    }

    /// Returns the sessions of `user`, latest first: at most ``SessionLimits/sessionsPerUser``. An expired session is
    /// included until it is pruned.
    package func sessions(of user: UserID) async throws -> [Session] {
        try await database.read { try Reader($0).sessions(of: user) }
    }

    /// Returns the token revocations; nil if the user does not exist or has been deleted.
    package func tokenRevocationState(of user: UserID) async throws -> TokenRevocationState? {
        try await database.read { reader in
            let account = try reader.first(
                "SELECT token_epoch, logged_out_at FROM account WHERE id = ?1 AND deleted_at IS NULL", [.user(user)]
            ) { (epoch: $0.integer(0), loggedOutAt: $0.integer(1)) }
            guard let account else { return nil }
            return TokenRevocationState(
                epoch: account.epoch, loggedOutAt: account.loggedOutAt,
                sessions: Set(try Reader(reader).sessions(of: user).map(\.id)),
                suspension: try database.graphHooks?.moderation.suspension(of: user, reader))
        }
    }
}

extension SessionStore.Reader {
    func sessions(of user: UserID) throws -> [Session] {
        try reader.rows(Self.sessionsQuery, [.user(user)]) {
            Session(
                id: SessionID(rawValue: $0.integer(0)), createdAt: $0.integer(1), usedAt: $0.integer(2),
                expiresAt: $0.integer(3))
        }
    }

    static let sessionsQuery =
        "SELECT id, created_at, used_at, expires_at FROM session WHERE user_id = ?1 ORDER BY id DESC"
}

extension SessionStore.Writer {
    /// Sets a new password without knowing the former one, for the operator of the machine, and ends every session.
    /// Throws ``GraphError/accountNotFound``.
    package func replacePassword(of user: UserID, with hash: String, from origin: LoginOrigin) throws {
        try AccountStore.Reader(transaction).requireAccounts([user])
        try setPassword(of: user, to: hash, from: origin)
    }

    /// Sets a new password, ends every session and every token sent by mail, and queues a notice.
    func setPassword(of user: UserID, to hash: String, from origin: LoginOrigin?) throws {
        try transaction.execute("UPDATE account SET password_hash = ?2 WHERE id = ?1", [.user(user), .text(hash)])
        try endAllSessions(of: user)
        try AccountTokenStore.Writer(transaction).endTokens(of: user)
        if let origin { try noteLogin(.passwordChanged, of: user, from: origin) }
        try MailQueueStore.Writer(transaction).queueNotice(.passwordChanged, to: user, from: origin)
    }

    func openSession(of user: UserID, _ refresh: RefreshGrant) throws -> SessionGrant {
        guard let epoch = try AccountStore.Reader(transaction).tokenEpoch(user) else {
            throw GraphError.accountNotFound
        }
        let open = try stored.sessions(of: user)
        let oldest = open.min { ($0.usedAt, $0.id) < ($1.usedAt, $1.id) }
        if let oldest, open.count >= SessionLimits.sessionsPerUser {
            try removeSession(oldest.id)
        }
        let session = SessionID(rawValue: try transaction.nextID())
        let expiresAt = transaction.now + refresh.lifetime
        try transaction.execute(
            """
            INSERT INTO session (id, user_id, refresh_digest, created_at, used_at, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?4, ?5)
            """,
            [
                .session(session), .user(user), .blob(refresh.digest), .integer(transaction.now), .integer(expiresAt),
            ])
        try transaction.record(.sessionsChanged(user))
        return SessionGrant(user: user, session: session, epoch: epoch, expiresAt: expiresAt)
    }

    /// Remembers that tokens of a family have been spent. One row is enough for all of them.
    fileprivate func remember(_ family: [UInt8], of session: SessionID, until: Int64) throws {
        try transaction.execute(
            """
            INSERT INTO spent_refresh (refresh_digest, session_id, expires_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (refresh_digest) DO UPDATE SET expires_at = excluded.expires_at
            """, [.blob(family), .session(session), .integer(until)])
    }

    /// Ends the session of a spent token. Servers before families remembered each spent token by its own digest.
    fileprivate func endReused(_ digest: [UInt8], _ family: [UInt8], from origin: LoginOrigin?) throws {
        let session = try transaction.first(
            "SELECT session_id FROM spent_refresh WHERE refresh_digest IN (?1, ?2)", [.blob(digest), .blob(family)]
        ) { SessionID(rawValue: $0.integer(0)) }
        guard let session else { return }
        let user = try transaction.first("SELECT user_id FROM session WHERE id = ?1", [.session(session)]) {
            UserID(rawValue: $0.integer(0))
        }
        guard let user else { return }
        if let origin { try noteLogin(.refreshTokenReused, of: user, from: origin) }
        try endSession(session, of: user)
    }

    fileprivate func endSession(_ session: SessionID, of user: UserID) throws {
        try removeSession(session)
        try transaction.record(.sessionsChanged(user))
    }

    private func removeSession(_ session: SessionID) throws {
        try transaction.execute("DELETE FROM spent_refresh WHERE session_id = ?1", [.session(session)])
        try transaction.execute("DELETE FROM session WHERE id = ?1", [.session(session)])
    }

    /// Ends every session of `user` but one, and keeps the tokens of other kinds.
    func endSessions(of user: UserID, but kept: SessionID?) throws {
        let others = "SELECT id FROM session WHERE user_id = ?1 AND id <> ?2"
        let arguments: [SQLValue] = [.user(user), .integer(kept?.rawValue ?? 0)]
        try transaction.execute("DELETE FROM spent_refresh WHERE session_id IN (\(others))", arguments)
        try transaction.execute("DELETE FROM session WHERE user_id = ?1 AND id <> ?2", arguments)
        try transaction.record(.sessionsChanged(user))
    }

    func endAllSessions(of user: UserID) throws {
        try transaction.execute(
            "UPDATE account SET token_epoch = token_epoch + 1, logged_out_at = ?2 WHERE id = ?1",
            [.user(user), .integer(max(transaction.now, transaction.wallTime))])
        try transaction.execute(
            "DELETE FROM spent_refresh WHERE session_id IN (SELECT id FROM session WHERE user_id = ?1)", [.user(user)])
        try transaction.execute("DELETE FROM session WHERE user_id = ?1", [.user(user)])
        try transaction.record(.sessionsChanged(user))
    }

    /// Deletes expired sessions and spent tokens. No token of such a session is still valid: a session outlives every
    /// token that it has issued.
    func pruneSessions() throws {
        for statement in [
            "DELETE FROM spent_refresh WHERE expires_at < ?1",
            "DELETE FROM spent_refresh WHERE session_id IN (SELECT id FROM session WHERE expires_at < ?1)",
            "DELETE FROM session WHERE expires_at < ?1",
        ] { try transaction.execute(statement, [.integer(transaction.expiryTime)]) }
        try transaction.execute(
            "DELETE FROM login_event WHERE last_at < ?1",
            [.integer(try transaction.horizon(of: .logIns))])
    }
}
