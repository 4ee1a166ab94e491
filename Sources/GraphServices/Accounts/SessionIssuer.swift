import Database
import Sessions
import SocialGraph

/// The tokens of one session, as given to a client. Times are milliseconds since 1970.
package struct IssuedSession: Sendable {
    package let user: UserID
    package let token: String
    package let expiresAt: Int64
    package let refreshToken: String
    package let refreshExpiresAt: Int64
}

/// Opens and renews sessions: an access token that names its session, and a refresh token for a single use.
package struct SessionIssuer: Sendable {
    package let graph: GraphStore
    package let tokens: TokenIssuer
    package let tokenLifetime: Duration
    /// Lifetime of an unused session. No shorter than that of its access tokens, which end with it.
    package let refreshLifetime: Duration

    package init(graph: GraphStore, tokens: TokenIssuer, tokenLifetime: Duration, refreshLifetime: Duration) {
        self.graph = graph
        self.tokens = tokens
        self.tokenLifetime = tokenLifetime
        self.refreshLifetime = refreshLifetime
    }

    /// Logs `user` in. `epoch` is the token epoch of the checked password, and `address` the digest of the client's
    /// address, to be remembered.
    ///
    /// - Throws: `Problem` 401 `wrong_credentials` if the password was changed meanwhile.
    package func open(
        for user: UserID, epoch: Int64? = nil, from origin: LoginOrigin? = nil, address: [UInt8]? = nil
    ) async throws -> IssuedSession {
        let refresh = RefreshToken()
        let grant = try await graph.sessions.openSession(
            of: user, epoch: epoch, refresh: self.grant(refresh), from: origin, address: address)
        return try await issue(grant, refresh)
    }

    /// Renews a session.
    ///
    /// - Throws: `GraphError.refreshTokenInvalid`.
    package func renew(_ presented: String, from origin: LoginOrigin? = nil) async throws -> IssuedSession {
        guard let spent = RefreshToken(presented: presented) else { throw GraphError.refreshTokenInvalid }
        let refresh = RefreshToken(after: spent)
        let grant = try await graph.sessions.refreshSession(
            spent.digest, family: spent.family, with: self.grant(refresh), from: origin)
        return try await issue(grant, refresh)
    }

    /// Ends every session of a user whose password becomes `hash`, and opens one.
    ///
    /// - Throws: `Problem` 401 `wrong_credentials` if the password was changed meanwhile.
    package func reopen(
        for user: UserID, password hash: String, epoch: Int64, from origin: LoginOrigin
    ) async throws -> IssuedSession {
        let refresh = RefreshToken()
        let grant = try await graph.sessions.changePassword(
            of: user, to: hash, epoch: epoch, refresh: self.grant(refresh), from: origin)
        return try await issue(grant, refresh)
    }

    private func grant(_ refresh: RefreshToken) -> RefreshGrant {
        let lifetime = max(refreshLifetime, tokenLifetime)
        return RefreshGrant(digest: refresh.digest, lifetime: lifetime.components.seconds * Milliseconds.second)
    }

    private func issue(_ grant: SessionGrant?, _ refresh: RefreshToken) async throws -> IssuedSession {
        guard let grant else { throw Problem.wrongCredentials }
        let access = try await tokens.issue(
            userID: grant.user.rawValue, epoch: Int(grant.epoch), session: grant.session.rawValue,
            lifetime: tokenLifetime)
        return IssuedSession(
            user: grant.user, token: access.token, expiresAt: access.expiresAtMilliseconds,
            refreshToken: refresh.text, refreshExpiresAt: grant.expiresAt)
    }
}
