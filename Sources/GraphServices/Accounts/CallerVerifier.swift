import Database
import Sessions
import SocialGraph

/// The user on whose behalf a request is made.
package struct VerifiedCaller: Sendable, Equatable {
    package let user: UserID
    /// The session of the token; nil if the token belongs to none.
    package let session: SessionID?
    /// The time at which the user logged in, in milliseconds since 1970; nil for the token of a session.
    package var authenticatedAt: Int64?
    /// The user's suspension; nil if the user is not suspended.
    package var suspension: Suspension?

    package init(user: UserID, session: SessionID?, authenticatedAt: Int64? = nil, suspension: Suspension? = nil) {
        self.user = user
        self.session = session
        self.authenticatedAt = authenticatedAt
        self.suspension = suspension
    }
}

/// Verifies bearer tokens: first the token itself, then the present state of its user and session.
package struct CallerVerifier: Sendable {
    package let tokens: TokenIssuer
    let revocations: TokenRevocations
    /// The users of the OpenID Connect issuer; nil if none is configured.
    let oidc: OIDCUsers?

    package init(tokens: TokenIssuer, revocations: TokenRevocations, oidc: OIDCUsers?) {
        self.tokens = tokens
        self.revocations = revocations
        self.oidc = oidc
    }

    /// - Throws: `Problem` `token_invalid` or `token_expired`.
    package func caller(_ token: String) async throws -> VerifiedCaller {
        if let caller = try await oidc?.caller(token) { return caller }
        let verified = try await tokens.verify(token)
        let user = UserID(rawValue: verified.userID)
        let session = verified.session.map(SessionID.init(rawValue:))
        guard let revocation = try await revocations.state(of: user), verified.epoch >= revocation.epoch,
            session.map(revocation.sessions.contains) ?? true
        else { throw Self.revoked }
        return VerifiedCaller(
            user: user, session: session, authenticatedAt: session == nil ? verified.issuedAt : nil,
            suspension: revocation.suspension)
    }

    /// Returns true if the user exists and is not suspended, so that what was signed for the user still holds.
    package func isActive(_ user: UserID) async throws -> Bool {
        guard let state = try await revocations.state(of: user) else { return false }
        return state.suspension == nil
    }

    /// Returns the service token of a text that begins with ``ServiceTokenText/prefix``.
    ///
    /// - Throws: `Problem` `token_invalid`.
    package func service(_ token: String) async throws -> ServiceToken {
        guard let text = ServiceTokenText(presented: token), let service = try await revocations.service(text) else {
            throw Problem(.tokenInvalid, "This service token was not issued by this server, or was revoked.")
        }
        return service
    }

    static let revoked = Problem(.tokenInvalid, "This token has been revoked; log in again.")
}
