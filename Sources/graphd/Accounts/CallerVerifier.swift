import HTTPTypes
import SocialGraph

/// Whom a request speaks for.
struct VerifiedCaller: Sendable, Equatable {
    let user: UserID
    /// Nil: its token belongs to no session.
    let session: SessionID?
    /// When the user proved who they are, in milliseconds since 1970; nil for the token of a session.
    var authenticatedAt: Int64?
    /// Nil: the user is not suspended.
    var suspension: Suspension?
}

/// Judges bearer tokens: their own word first, then what has become of their user and session since.
struct CallerVerifier: Sendable {
    let tokens: TokenIssuer
    let standings: TokenStandings
    /// Nil: none is configured.
    let outside: OutsideUsers?

    /// - Throws: `Problem` 401.
    func caller(of headers: HTTPFields) async throws -> VerifiedCaller {
        try await caller(BearerToken.require(in: headers))
    }

    /// As ``caller(of:)``, where a request may come without a token: nil then.
    func callerIfAny(of headers: HTTPFields) async throws -> VerifiedCaller? {
        guard let token = try BearerToken.find(in: headers) else { return nil }
        return try await caller(token)
    }

    private func caller(_ token: String) async throws -> VerifiedCaller {
        if let caller = try await outside?.caller(token) { return caller }
        let verified = try await tokens.verify(token)
        let user = UserID(rawValue: verified.userID)
        let session = verified.session.map(SessionID.init(rawValue:))
        guard let standing = try await standings.standing(of: user), verified.epoch >= standing.epoch,
            session.map(standing.sessions.contains) ?? true
        else { throw Self.revoked }
        return VerifiedCaller(
            user: user, session: session, authenticatedAt: session == nil ? verified.issuedAt : nil,
            suspension: standing.suspension)
    }

    static let revoked = BearerToken.problem(.tokenInvalid, "This token has been revoked; log in again.")
}
