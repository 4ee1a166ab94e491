import Database

/// Limits of idempotency keys that clients of the API meet.
package enum IdempotencyLimits {
    /// Length of a key, in characters.
    package static let keyLength = 255
    /// The time for which a key is remembered, in milliseconds.
    package static let retention = Milliseconds.day
    /// Largest number of remembered keys of one user.
    package static let keysPerUser: Int64 = 10_000
    /// Largest kept body, in bytes: twice the outcome of the longest moderation order, the longest answer of all.
    package static let answerBytes = 256 * 1_024
}
