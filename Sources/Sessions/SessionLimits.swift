import Database
import SocialGraph

/// Every bound of this module in one place.
package enum SessionLimits {
    /// Events of the log of log-ins that are kept for each user: those of the user, and hours of wrong passwords; and
    /// for how long, in milliseconds.
    static let loginEventsPerUser = 200
    static let guessEventsPerUser = 50
    static let loginEventRetention = 90 * Milliseconds.day
    /// Sessions that one user may have: a log-in beyond ends the one that was used the longest time ago.
    static let sessionsPerUser = 50
    /// Addresses that an account is known to have logged in from; beyond them, the one used the longest time ago is
    /// forgotten.
    static let knownAddressesPerUser = 16
    /// Spent refresh tokens of a session that are known as such: one of them ends the session.
    static let spentTokensPerSession = 100
}
