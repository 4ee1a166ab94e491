/// Advice with a problem, for the program that made the request.
package enum ProblemAdvice: Sendable {
    /// A retry makes sense after so many seconds.
    case retry(afterSeconds: Int64)
    /// The remainder of a rate after this request.
    case rate(RateReceipt)
    /// A spent rate; one more act is admitted after so many seconds.
    case spentRate(RateBudget, Rate, retryAfterSeconds: Int64)
    /// A holder has all the slots of a budget that one holder may have at once.
    case takenSlots(SlotBudget, perHolder: Int)
    /// The expected media type of the body.
    case mediaType(String)
    /// The body must have no content coding.
    case noCoding
    /// Length in bytes of the file whose range was requested.
    case fileSize(Int64)
    /// The methods that the path allows, separated by commas.
    case methods(String)
    /// The connection accepts no further request.
    case newConnection
    /// The answer may be another one soon: no cache may keep it.
    case notCached

    /// Seconds after which a retry on a full disk makes sense: it is not cleared within one second.
    package static let retryWhenThereIsRoom = ProblemAdvice.retry(afterSeconds: 30)
}
