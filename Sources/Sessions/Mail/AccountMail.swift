import Database
import SocialGraph

/// A mail to the owner of an account, as it waits in the queue.
package struct AccountMail: Sendable, Equatable {
    /// The reason for a mail.
    package enum Kind: String, Sendable, CaseIterable {
        /// Carries a token with which a forgotten password is replaced.
        case passwordReset = "password_reset"
        /// Carries a token that proves that its reader owns the address.
        case emailConfirmation = "email_confirmation"
        /// A log-in from an address that the account has not been used from.
        case newLogin = "new_login"
        /// Goes to the former address.
        case emailChanged = "email_changed"
        case passwordChanged = "password_changed"
        case totpEnabled = "totp_enabled"
        case totpRemoved = "totp_removed"
    }

    package let id: Int64
    package let user: UserID
    package let username: String
    package let kind: Kind
    /// The email address.
    package let recipient: String
    /// The token in the text; nil for a notice.
    package let token: String?
    /// Origin of the request that the mail is about.
    package let origin: LoginOrigin
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let expiresAt: Int64
    /// Attempts to send it, the present one included.
    package let attempts: Int64
}

extension AccountMail.Kind {
    /// Milliseconds until a mail is no longer worth sending. A mail with a token ends with its token.
    var lifetime: Int64 {
        switch self {
        case .passwordReset: SessionLimits.passwordResetLifetime
        case .emailConfirmation: SessionLimits.emailConfirmationLifetime
        case .newLogin, .emailChanged, .passwordChanged, .totpEnabled, .totpRemoved: SessionLimits.noticeLifetime
        }
    }

    /// Mails of the kind to one address within ``SessionLimits/mailWindow``.
    var limit: Int64 {
        switch self {
        case .passwordReset, .emailConfirmation: SessionLimits.tokenMailsPerAddress
        case .newLogin, .emailChanged, .passwordChanged, .totpEnabled, .totpRemoved: SessionLimits.noticesPerAddress
        }
    }
}

extension AccountMail {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        user = UserID(rawValue: row.integer(1))
        username = row.text(2)
        kind = try row.choice(3)
        recipient = row.text(4)
        token = row.optionalText(5)
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        origin = LoginOrigin(address: given(row.text(6)), userAgent: given(row.text(7)))
        createdAt = row.integer(8)
        expiresAt = row.integer(9)
        // The row was read before the attempt was counted.
        attempts = row.integer(10) + 1
    }
}
