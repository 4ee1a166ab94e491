import Database
import SocialGraph

/// The id of a session.
package typealias SessionID = ID<Session>

extension SQLValue {
    package static func session(_ id: SessionID) -> SQLValue { .integer(id.rawValue) }
}

/// A session begun by a log-in, as listed to its user. Times are milliseconds since 1970.
package struct Session: Sendable, Equatable {
    package let id: SessionID
    package let createdAt: Int64
    /// Time of the last token renewal.
    package let usedAt: Int64
    /// Time at which the session expires unless its tokens are renewed.
    package let expiresAt: Int64
}

/// A session after it was opened or renewed: the claims of its tokens.
package struct SessionGrant: Sendable, Equatable {
    package let user: UserID
    package let session: SessionID
    /// Epoch of the user's tokens.
    package let epoch: Int64
    /// Expiry of the refresh token, in milliseconds since 1970.
    package let expiresAt: Int64
}

/// A new refresh token: its digest, the only form stored, and its lifetime in milliseconds.
package struct RefreshGrant: Sendable {
    package let digest: [UInt8]
    package let lifetime: Int64

    package init(digest: [UInt8], lifetime: Int64) {
        self.digest = digest
        self.lifetime = lifetime
    }
}

/// The token revocations of a user.
package struct TokenRevocationState: Sendable, Equatable {
    /// Smallest valid epoch of the server's own tokens.
    package let epoch: Int64
    /// Earliest valid time of issue of OpenID Connect tokens, in milliseconds since 1970.
    package let loggedOutAt: Int64
    /// Live sessions; tokens of other sessions are invalid.
    package let sessions: Set<SessionID>
    /// Suspension of the user; nil without one.
    package let suspension: Suspension?
}
