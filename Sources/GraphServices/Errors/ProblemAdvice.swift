/// Advice that comes with a problem, for the program that made the request.
package enum ProblemAdvice: Sendable {
    /// Trying again makes sense after so many seconds.
    case retry(afterSeconds: Int64)
    /// The rest of a rate after this request.
    case rate(RateReceipt)
    /// A rate is spent; one more act is let through after so many seconds.
    case spentRate(RateBudget, Rate, retryAfterSeconds: Int64)
    /// A holder has all slots of a budget that one may have at once.
    case takenSlots(SlotBudget, perHolder: Int)
    /// The media type that the body should have.
    case mediaType(String)
    /// Bytes of the file of which a range was asked for.
    case fileSize(Int64)
    /// The methods that the path allows, separated by commas.
    case methods(String)
    /// The connection takes no further request.
    case newConnection

    /// Seconds after which a full disk is worth another try: it is not cleared within one.
    package static let retryWhenThereIsRoom = ProblemAdvice.retry(afterSeconds: 30)
}
