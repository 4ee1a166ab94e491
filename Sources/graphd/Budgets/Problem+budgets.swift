import HTTPTypes

extension Problem {
    /// 429: `budget` is spent; one more act will be let through after `retryIn` nanoseconds.
    init(refusing budget: RateBudget, _ rate: Rate, retryIn: Int64) {
        let seconds = max(1, retryIn.wholeSeconds)
        self.init(
            .rateLimited, "At most \(rate.count) \(budget.noun) in \(rate.seconds) s; try again in \(seconds) s.",
            headers: HTTPFields(budget.rawValue, rate, remaining: 0, seconds: seconds, isRefused: true))
    }

    /// 429: a holder has all of its slots.
    init(refusing budget: SlotBudget, perHolder: Int) {
        self.init(
            .rateLimited, "At most \(perHolder) \(budget.noun) at once; end one first.",
            headers: [
                .retryAfter: String(BudgetLimits.slotRetrySeconds),
                .rateLimitPolicy: "\"\(budget.rawValue)\";q=\(perHolder);qu=\"concurrent-requests\"",
                .rateLimit: "\"\(budget.rawValue)\";r=0",
            ])
    }

    /// 503: all slots are taken.
    init(full budget: SlotBudget) {
        self.init(
            .busy, "Too many \(budget.noun) are under way; try again.",
            headers: [.retryAfter: String(BudgetLimits.slotRetrySeconds)])
    }

    /// 503: the queue is full.
    static var queueIsFull: Problem {
        Problem(
            .busy, "Too many requests of this kind are waiting; try again.",
            headers: [.retryAfter: String(BudgetLimits.busyRetrySeconds)])
    }
}

extension RateReceipt {
    /// The header fields that tell a caller what is left.
    var headers: HTTPFields {
        HTTPFields(budget.rawValue, rate, remaining: remaining, seconds: max(1, nextIn.wholeSeconds))
    }
}

extension HTTPFields {
    /// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): quota `q` in a window of `w`
    /// seconds; `r` left, and more of it in `t` seconds.
    fileprivate init(_ name: String, _ rate: Rate, remaining: Int, seconds: Int64, isRefused: Bool = false) {
        self = [
            .rateLimitPolicy: "\"\(name)\";q=\(rate.count);w=\(rate.seconds)",
            .rateLimit: "\"\(name)\";r=\(remaining);t=\(seconds)",
        ]
        if isRefused { self[.retryAfter] = String(seconds) }
    }
}

extension Int64 {
    /// Nanoseconds as seconds, rounded up.
    fileprivate var wholeSeconds: Int64 { (self + 999_999_999) / 1_000_000_000 }
}

extension HTTPField.Name {
    static let rateLimitPolicy = constant("RateLimit-Policy")
    static let rateLimit = constant("RateLimit")

    private static func constant(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }
}
