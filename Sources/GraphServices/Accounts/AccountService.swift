import Logging
import Sessions
import SocialGraph

/// Accounts, their passwords and their sessions, for `/v1` and the contracts of products alike.
package struct AccountService: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    let sessions: SessionIssuer
    let pictures: ProfilePictures

    package init(graph: GraphStore, passwords: PasswordHasher, sessions: SessionIssuer, pictures: ProfilePictures) {
        self.graph = graph
        self.passwords = passwords
        self.sessions = sessions
        self.pictures = pictures
    }

    /// Counts the sign-ups that hold a picture, which are large.
    package var budgets: Budgets { passwords.budgets }

    /// Creates the account and opens its first session.
    ///
    /// - Throws: `GraphError.usernameTaken`, `.reservedUsername`, `.emailTaken`, `.limitReached`; `Problem`
    ///   `weak_password`, `unsupported_media`.
    package func signUp(_ signUp: SignUp, from client: AccountClient) async throws -> IssuedSession {
        let names = [signUp.username, signUp.email]
        if let picture = signUp.picture {
            // The password is judged first: that costs less than the picture.
            try PasswordHasher.requireStrong(signUp.password, of: names)
            try pictures.check(picture)
        }
        let hash = try await passwords.hash(signUp.password, of: names, for: client.caller)
        let account = try await graph.accounts.createAccount(
            username: signUp.username, email: signUp.email, passwordHash: hash, displayName: signUp.displayName,
            bio: signUp.bio, pictureURL: signUp.pictureURL, preferences: signUp.preferences,
            isNumberedIfTaken: signUp.isNumberedIfTaken, refusesReserved: true)
        if let picture = signUp.picture {
            do {
                var change = ProfileChange()
                change.picture = try await store(picture, of: account.id)
                try await graph.accounts.changeProfile(of: account.id, change)
            } catch {
                // The account exists, and its picture can be sent again.
                client.logger.error(
                    "a profile picture could not be stored", metadata: [LogKeys.error: "\(error)"])
            }
        }
        try await graph.sessions.welcome(
            account.id, from: client.origin, address: client.address.digest(for: account.id))
        return try await sessions.open(for: account.id, from: client.origin)
    }

    /// Opens a session.
    ///
    /// - Parameter code: the second factor of an account that has one; of no other.
    /// - Throws: `Problem` `wrong_credentials`; `totp_required` and `wrong_code` after the right password;
    ///   `rate_limited` after too many wrong passwords or codes; `busy`.
    package func logIn(
        email: String, password: String, code: String?, from client: AccountClient
    ) async throws -> IssuedSession {
        let credentials = try await graph.accounts.credentials(email: email)
        let isRight = try await passwords.judgeGuess(
            AccountKey(email: email), from: client.address,
            isKnown: {
                guard let user = credentials?.id else { return false }
                return try await graph.sessions.knowsAddress(client.address.digest(for: user), of: user)
            }
        ) {
            try await passwords.isRight(password, credentials, for: client.caller)
        }
        guard isRight, let credentials else {
            if let user = credentials?.id { passwords.journal?.noteWrongPassword(of: user, from: client.origin) }
            throw Problem.wrongCredentials
        }
        if try await graph.totp.isEnabled(of: credentials.id) {
            guard let code else { throw Problem.totpRequired }
            try await passwords.proveSecondFactor(code, of: credentials.id) {
                try await graph.totp.spend($0, of: credentials.id, from: client.origin)
            }
        }
        return try await sessions.open(
            for: credentials.id, epoch: credentials.tokenEpoch, from: client.origin,
            address: client.address.digest(for: credentials.id))
    }

    func store(_ picture: [UInt8], of user: UserID) async throws -> ProfileChange.Picture {
        let stored = try await pictures.store(user, picture)
        return .at(url: stored.url, media: stored.id)
    }
}

extension PasswordHasher {
    /// Takes the same time for a wrong password, an account without one, and no account.
    fileprivate func isRight(
        _ password: String, _ credentials: Credentials?, for caller: WorkCaller
    ) async throws -> Bool {
        guard let hash = credentials?.passwordHash else {
            try await verifyAgainstNobody(password, for: caller)
            return false
        }
        return try await verify(password, against: hash, for: caller)
    }
}
