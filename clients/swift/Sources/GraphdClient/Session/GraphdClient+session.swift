import Foundation

/// The user's session: the client continues with the one that a method here opens.
extension GraphdClient {
    /// The current session, or nil if nobody is logged in.
    public var session: Session? {
        get async { await exchange.sessions.session }
    }

    /// Creates an account and continues as its user.
    @discardableResult
    public func signUp(email: String, password: String, username: String, displayName: String? = nil) async throws
        -> Session
    {
        try await opened(
            accounts.signUp(SignUp(email: email, password: password, username: username, displayName: displayName)))
    }

    /// Logs a user in.
    ///
    /// - Parameter code: Of the authenticator, or a recovery code, if the account has one.
    /// - Throws: `APIError` with `wrongCredentials`, `totpRequired` or `wrongCode`, among others.
    @discardableResult
    public func logIn(email: String, password: String, code: String? = nil) async throws -> Session {
        try await opened(accounts.logIn(LogIn(email: email, password: password, code: code)))
    }

    /// Changes the password. All other sessions of the user end.
    @discardableResult
    public func changePassword(from current: String?, to new: String) async throws -> Session {
        try await opened(accounts.changePassword(PasswordChange(newPassword: new, currentPassword: current)))
    }

    /// Continues with a session from elsewhere, or with none.
    public func use(_ session: Session?) async {
        await exchange.sessions.replace(by: session)
    }

    /// Renews the session now. Requests do so by themselves once the server refuses its token.
    ///
    /// - Throws: `ClientError.sessionEnded` if there is no session, or the server refuses its refresh token.
    public func renewSession() async throws {
        try await exchange.sessions.renew(by: exchange.refresh)
    }

    /// Returns a client of the same server for another user, with a token that is not renewed. It sends its requests
    /// over the same connections.
    public func with(token: String) -> GraphdClient {
        GraphdClient(exchange: exchange.with(SessionKeeper(token: token)))
    }

    /// Ends the session at the server, and forgets it.
    public func logOut() async throws {
        try await accounts.logOut()
        await exchange.sessions.replace(by: nil)
    }

    private func opened(_ session: Session) async -> Session {
        await exchange.sessions.replace(by: session)
        return session
    }
}
