import Database
import SocialGraph

/// Limits of sessions and their log that clients of the API meet.
package enum SessionLimits {
    /// Largest number of sessions of one user: a further log-in ends the least recently used one.
    static let sessionsPerUser = 50
    /// Largest number of known log-in addresses of an account; beyond it, the least recently used one is deleted.
    static let knownAddressesPerUser = 16
    /// Number of log-in events kept for each user's own acts.
    static let loginEventsPerUser = 200
    /// Number of hours of wrong passwords kept in the log of each user.
    static let guessEventsPerUser = 50

    /// Milliseconds in which a new authenticator must be confirmed.
    package static let totpConfirmationTime = Milliseconds.hour

    // Service tokens.

    /// Largest number of service tokens.
    package static let serviceTokens = 50
    /// Characters of the name of a service token.
    package static let serviceTokenNameLength = 64

    // Mail.

    /// Milliseconds for which a token that resets a password is valid.
    package static let passwordResetLifetime = Milliseconds.hour
    /// Milliseconds for which a token that confirms an address is valid.
    package static let emailConfirmationLifetime = 3 * Milliseconds.day
    /// Milliseconds for which a notice is worth sending.
    static let noticeLifetime = 3 * Milliseconds.day
    /// Milliseconds in which the mails to an address are counted.
    static let mailWindow = Milliseconds.hour
    /// Mails with a token to one address, for each of the two purposes, within ``mailWindow``.
    static let tokenMailsPerAddress: Int64 = 5
    /// Notices of one kind to one address within ``mailWindow``.
    static let noticesPerAddress: Int64 = 10
}
