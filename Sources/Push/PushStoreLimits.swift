import Database
import SocialGraph

/// Every bound of this module in one place. `assertConsistency()` states how they relate.
package enum PushStoreLimits {
    /// Devices of a user: a registration beyond drops the oldest. Bytes of a registration token.
    static let devicesPerUser = 20
    package static let deviceTokenLength = 1...1_024
    /// Webhooks of a user, and dead letters that are kept for each of them.
    static let webhooksPerUser: Int64 = 10
    static let deadLettersPerWebhook = 100
    package static let remindersPerUser = 10
    /// Things that a user waits to be told of on one channel; what comes on top is not told.
    static let waitingPushes: Int64 = 100
    /// Users that one step of matching a post with interests looks at.
    static let matchStep = 200
    /// The least time between telling of one group of notifications and telling of what has joined it since: FCM
    /// itself allows a device few messages that replace each other.
    static let pushSpacing = Milliseconds.minute
    /// The time for which it is known what was told; devices are not told of anything older either.
    package static let pushRetention = Milliseconds.day
    static let deadLetterRetention = 7 * Milliseconds.day
    /// A reminder is sent at most so late, as after a restart.
    static let reminderDelay = 60 * Milliseconds.minute

    package static func assertConsistency() {
        precondition(pushSpacing < pushRetention, "what was told must be known until it may be told again")
        precondition(reminderDelay < pushRetention, "a late reminder must not be too old to be told")
    }
}
