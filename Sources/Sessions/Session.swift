import Database
import SocialGraph

/// A session of a user: what one log-in began.
package typealias SessionID = ID<Session>

extension SQLValue {
    package static func session(_ id: SessionID) -> SQLValue { .integer(id.rawValue) }
}

/// What one log-in began, as its user's list shows it. Times are milliseconds since 1970.
package struct Session: Sendable, Equatable {
    package let id: SessionID
    package let createdAt: Int64
    /// When its tokens were renewed last.
    package let usedAt: Int64
    /// When it ends by itself unless its tokens are renewed.
    package let expiresAt: Int64
}

/// A session that was opened or renewed: what its tokens must say.
package struct SessionGrant: Sendable, Equatable {
    package let user: UserID
    package let session: SessionID
    /// Of the user's tokens.
    package let epoch: Int64
    /// When the refresh token ends, in milliseconds since 1970.
    package let expiresAt: Int64
}

/// A new refresh token, of which only the digest is ever stored, and for how long it is good, in milliseconds.
package struct RefreshGrant: Sendable {
    package let digest: [UInt8]
    package let lifetime: Int64

    package init(digest: [UInt8], lifetime: Int64) {
        self.digest = digest
        self.lifetime = lifetime
    }
}

/// What the tokens of a user are judged by.
package struct TokenStanding: Sendable, Equatable {
    /// Tokens of our own must carry at least this one.
    package let epoch: Int64
    /// Tokens of an outside issuer must be issued at this time or later; milliseconds since 1970.
    package let loggedOutAt: Int64
    /// A token of another session is dead.
    package let sessions: Set<SessionID>
    /// Nil: the user is not suspended.
    package let suspension: Suspension?
}
