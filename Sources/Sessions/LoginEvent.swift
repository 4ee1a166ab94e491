import SocialGraph

/// A security event of an account, as listed to its owner.
package struct LoginEvent: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        case success
        /// A log-in, or a change that needs the password, with a wrong password.
        case wrongPassword = "wrong_password"
        /// A spent refresh token was presented, which shows that it has been copied.
        case refreshTokenReused = "refresh_token_reused"
        case passwordChanged = "password_changed"
        case emailChanged = "email_changed"
        /// A log-in, or a change of the second factor, with the right password and a wrong code.
        case wrongCode = "wrong_code"
        case totpEnabled = "totp_enabled"
        case totpRemoved = "totp_removed"

        /// True for what another person may have entered.
        var isGuess: Bool { self == .wrongPassword || self == .wrongCode }
    }

    package let id: Int64
    package let outcome: Outcome
    package let origin: LoginOrigin
    /// Times of the first and last occurrence, in milliseconds since 1970. Wrong passwords from one address within an
    /// hour are one event, and so are wrong codes.
    package let firstAt: Int64
    package let lastAt: Int64
    /// Number of occurrences.
    package let count: Int64
}

/// Wrong passwords for one account from one origin.
package struct WrongPasswords: Sendable, Equatable {
    package let user: UserID
    package let origin: LoginOrigin
    package let count: Int64

    package init(user: UserID, origin: LoginOrigin, count: Int64) {
        self.user = user
        self.origin = origin
        self.count = count
    }
}
