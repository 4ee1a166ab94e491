/// The outcome of one attempt.
package enum SendResult: Sendable, Equatable {
    case taken
    /// The message will never be accepted.
    case refused(status: Int64?, String)
    /// The receiver no longer exists.
    case gone
    /// A retry may succeed, after so many milliseconds at least. It may be unknown whether this attempt succeeded, as
    /// after a time-out.
    case failed(status: Int64?, String, retryAfter: Int64?)
    /// The message was not accepted, and nothing else would be for so many milliseconds.
    case blocked(for: Int64, String)
    /// Nothing was sent: too much waits here. An attempt may be made after so many milliseconds.
    case postponed(for: Int64, String)
}
