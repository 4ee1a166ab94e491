/// What a receiver has made of one attempt.
package enum SendResult: Sendable, Equatable {
    case taken
    /// It will never be taken.
    case refused(status: Int64?, String)
    /// The receiver is no more.
    case gone
    /// It may be taken another time, after so many milliseconds at least. Whether it was taken this time may not be
    /// known, as after a time-out.
    case failed(status: Int64?, String, retryAfter: Int64?)
    /// It was not taken, and nothing else would be for so many milliseconds.
    case blocked(for: Int64, String)
}
