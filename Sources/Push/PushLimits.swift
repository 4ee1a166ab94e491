import Database

/// Limits of this module that clients of the API meet.
package enum PushLimits {
    /// Largest number of devices of a user: a further registration evicts the oldest.
    static let devicesPerUser = 20
    /// Length of a registration token in bytes.
    package static let deviceTokenLength = 1...1_024
    /// Largest number of webhooks of a user.
    static let webhooksPerUser: Int64 = 10
    /// Largest number of messages that wait for each webhook: what else its user is told of is not sent to it. Bounds
    /// the deliveries that a taker may have to pass over.
    static let undeliveredPerWebhook: Int64 = 1_000
    /// Largest number of dead letters kept for each webhook.
    static let deadLettersPerWebhook = 100
    /// Largest number of app webhooks.
    package static let appWebhooks = 10
    /// Length of the secret of an app webhook, in bytes.
    package static let secretLength = 24...64
    /// Largest number of reminders of a user.
    package static let remindersPerUser = 10
}
