import Database

/// Limits of this module that clients of the API meet.
package enum PushLimits {
    /// Devices of a user: a registration beyond drops the oldest.
    static let devicesPerUser = 20
    /// Bytes of a registration token.
    package static let deviceTokenLength = 1...1_024
    /// Webhooks of a user.
    static let webhooksPerUser: Int64 = 10
    /// Dead letters that are kept for each webhook.
    static let deadLettersPerWebhook = 100
    /// The time for which a dead letter is kept.
    static let deadLetterRetention = 7 * Milliseconds.day
    /// Reminders of a user.
    package static let remindersPerUser = 10
}
