/// Every bound on what is sent to devices and webhooks.
package enum PushLimits {
    /// Attempts under way at once.
    static let concurrentMessages = 32
    static let concurrentWebhooks = 16
    /// Events judged at once, and reminders that one transaction fires.
    static let eventsAtOnce = 64
    static let remindersAtOnce = 100
    /// How long an attempt may take, and how long it is waited for before the delivery is due again: an attempt also
    /// resolves a name.
    static let attempt = Duration.seconds(10)
    static let connect = Duration.seconds(5)
    static let lease = Duration.seconds(120)
    /// How often it is looked for work that no commit of this process has announced, such as a reminder.
    static let poll = Duration.milliseconds(500)
    static let pruning = Duration.seconds(600)
    /// Attempts before a delivery is given up.
    static let messageAttempts = 8
    static let webhookAttempts = 10
    /// Bytes of an answer that are read.
    static let answerBytes = 65_536
    /// An access token is renewed so long before it ends.
    static let tokenMargin: Int64 = 300_000
    /// How long Firebase is left alone when it says so without a time, or gives no access token, in milliseconds.
    static let quotaPause: Int64 = 60_000
    static let tokenPause: Int64 = 10_000
    /// The longest that a `Retry-After` is obeyed for, in milliseconds.
    static let longestRetryAfter: Int64 = 3_600_000
    static let webhookSecretBytes = 32
    /// Threads that resolve the names of webhooks, and names that may wait for one.
    static let resolvers = 4
    static let resolutionsWaiting = 64
    /// Unicode scalars of the name of an app.
    package static let appNameLength = 64
    package static let timeZoneLength = 64
}
