import Database
import SocialGraph
import Text

/// Tokens that prove an address, and the addresses proven.
package struct AccountTokenStore: Sendable {
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

extension AccountTokenStore {
    /// Queues a mail with a token that resets the password of the account with an address. For an address without an
    /// account, the transaction writes and waits for the disk as well, so that its time reveals nothing. Former tokens
    /// stay valid: whoever requests others cannot make the owner's useless.
    package func requestPasswordReset(email: String, from origin: LoginOrigin?) async throws {
        try await database.write { transaction in
            let account = try transaction.first(Self.ownerQuery, [.text(NameFolding.key(email))]) {
                (user: UserID(rawValue: $0.integer(0)), email: $0.text(1))
            }
            let isWithinLimit = try MailQueueStore.Writer(transaction).count(.passwordReset, to: email)
            guard let account, isWithinLimit else { return }
            try Writer(transaction).mail(.passwordReset, to: account.email, of: account.user, from: origin)
        }
    }

    static let ownerQuery = "SELECT id, email FROM account WHERE email_key = ?1 AND deleted_at IS NULL"

    /// Queues a mail with a token that confirms the address of `user`, unless it is confirmed, has had too many, or
    /// does not exist.
    package func requestConfirmation(of user: UserID, from origin: LoginOrigin?) async throws {
        try await database.write { transaction in
            guard try !Reader(transaction).isEmailConfirmed(of: user) else { return }
            try Writer(transaction).requestConfirmation(of: user, from: origin)
        }
    }

    /// True if the present address of `user` is proven to be the user's.
    package func isEmailConfirmed(of user: UserID) async throws -> Bool {
        try await database.read { try Reader($0).isEmailConfirmed(of: user) }
    }

    /// Spends a token that confirms an address; false if it is unknown, spent or expired.
    package func confirmEmail(_ token: AccountToken) async throws -> Bool {
        try await database.write { transaction in
            guard let user = try Reader(transaction).owner(of: token, .emailConfirmation, at: transaction.expiryTime)
            else { return false }
            try Writer(transaction).confirmEmail(of: user)
            return true
        }
    }

    /// The account whose password a token may reset at `time`; nil if the token is unknown, spent or expired.
    package func account(resetBy token: AccountToken, at time: Int64) async throws -> Account? {
        try await database.read { reader in
            try Reader(reader).owner(of: token, .passwordReset, at: time).flatMap {
                try AccountStore.Reader(reader).account($0)
            }
        }
    }

    /// Spends a token and sets a new password, which ends every session and every other token. As the token came by
    /// mail, it confirms the address too. False if the token is unknown, spent or expired.
    package func resetPassword(_ token: AccountToken, to hash: String, from origin: LoginOrigin) async throws -> Bool {
        try await database.write { transaction in
            guard let user = try Reader(transaction).owner(of: token, .passwordReset, at: transaction.expiryTime)
            else { return false }
            try Writer(transaction).confirmEmail(of: user)
            try SessionStore.Writer(transaction).setPassword(of: user, to: hash, from: origin)
            return true
        }
    }
}

extension AccountTokenStore.Reader {
    package func isEmailConfirmed(of user: UserID) throws -> Bool {
        try reader.exists("SELECT 1 FROM confirmed_email WHERE user_id = ?1", [.user(user)])
    }
}

extension AccountTokenStore.Writer {
    /// Sends a token to the address of `user`, if mail is sent and the address has not had too many.
    func requestConfirmation(of user: UserID, from origin: LoginOrigin?) throws {
        guard try MailQueueStore.Reader(transaction).isSending,
            let email = try AccountStore.Reader(transaction).account(user)?.email,
            try MailQueueStore.Writer(transaction).count(.emailConfirmation, to: email)
        else { return }
        try mail(.emailConfirmation, to: email, of: user, from: origin)
    }

    /// Inserts a new token and the mail that carries it.
    fileprivate func mail(
        _ purpose: AccountToken.Purpose, to email: String, of user: UserID, from origin: LoginOrigin?
    ) throws {
        let token = AccountToken()
        let kind: AccountMail.Kind = purpose == .passwordReset ? .passwordReset : .emailConfirmation
        try transaction.execute(
            "INSERT INTO account_token (digest, user_id, purpose, expires_at) VALUES (?1, ?2, ?3, ?4)",
            [
                .blob(token.digest), .user(user), .text(purpose.rawValue), .integer(transaction.now + kind.lifetime),
            ])
        try MailQueueStore.Writer(transaction).queue(kind, to: email, of: user, token: token, from: origin)
    }

    /// Records that the present address is the user's, which no other token needs to prove.
    package func confirmEmail(of user: UserID) throws {
        try transaction.execute(
            "INSERT INTO confirmed_email (user_id, confirmed_at) VALUES (?1, ?2) ON CONFLICT (user_id) DO NOTHING",
            [.user(user), .integer(transaction.now)])
        try transaction.execute(
            "DELETE FROM account_token WHERE user_id = ?1 AND purpose = ?2",
            [.user(user), .text(AccountToken.Purpose.emailConfirmation.rawValue)])
    }

    /// Makes every token of `user` invalid, those in mails that are not sent yet included.
    func endTokens(of user: UserID) throws {
        try transaction.execute("DELETE FROM account_token WHERE user_id = ?1", [.user(user)])
        try transaction.execute("DELETE FROM mail WHERE user_id = ?1 AND token IS NOT NULL", [.user(user)])
    }

    /// Forgets that an address was proven, as it is no longer the user's.
    func forgetConfirmation(of user: UserID) throws {
        try transaction.execute("DELETE FROM confirmed_email WHERE user_id = ?1", [.user(user)])
    }

    /// Deletes expired tokens.
    func prune() throws {
        try transaction.execute("DELETE FROM account_token WHERE expires_at < ?1", [.integer(transaction.expiryTime)])
    }
}

extension AccountTokenStore.Reader {
    /// The account of a token; nil if it is unknown, spent, or expired at `time`.
    fileprivate func owner(
        of token: AccountToken, _ purpose: AccountToken.Purpose, at time: Int64
    ) throws -> UserID? {
        let found = try reader.first(Self.tokenQuery, [.blob(token.digest), .text(purpose.rawValue)]) {
            (user: UserID(rawValue: $0.integer(0)), expiresAt: $0.integer(1))
        }
        return found.flatMap { time < $0.expiresAt ? $0.user : nil }
    }

    static let tokenQuery = "SELECT user_id, expires_at FROM account_token WHERE digest = ?1 AND purpose = ?2"
}
