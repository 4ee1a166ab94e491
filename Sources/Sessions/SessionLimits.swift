import Database
import SocialGraph

/// Limits of sessions and their log that clients of the API meet.
package enum SessionLimits {
    /// Sessions that one user may have: a log-in beyond ends the one that was used the longest time ago.
    static let sessionsPerUser = 50
    /// Spent refresh tokens of a session that are known as such: one of them ends the session.
    static let spentTokensPerSession = 100
    /// Addresses that an account is known to have logged in from; beyond them, the one used the longest time ago is
    /// forgotten.
    static let knownAddressesPerUser = 16
    /// Events of the log of log-ins that are kept of each user's own acts.
    static let loginEventsPerUser = 200
    /// Hours of wrong passwords that the log of log-ins keeps for each user.
    static let guessEventsPerUser = 50
    /// The time for which events of the log of log-ins are kept.
    static let loginEventRetention = 90 * Milliseconds.day
}
