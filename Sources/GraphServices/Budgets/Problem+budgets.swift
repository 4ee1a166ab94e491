extension Problem {
    /// The refusal by a spent `budget`; one more act is admitted after `retryIn` nanoseconds.
    package init(refusing budget: RateBudget, _ rate: Rate, retryIn: Int64) {
        let seconds = max(1, retryIn.wholeSeconds)
        self.init(
            .rateLimited,
            "At most \(rate.count) \(budget.noun) are allowed in \(rate.seconds) s. Try again in \(seconds) s.",
            advice: [.spentRate(budget, rate, retryAfterSeconds: seconds)])
    }

    /// The refusal of a holder that has all of its slots.
    package init(refusing budget: SlotBudget, to holder: BudgetHolder, limit: Int) {
        let place = if case .address = holder { " from one address" } else { "" }
        self.init(
            .rateLimited, "At most \(limit) \(budget.noun) are allowed at once\(place). End one first.",
            advice: [.takenSlots(budget, perHolder: limit)])
    }

    /// The refusal when all slots are taken.
    package init(full budget: SlotBudget) {
        self.init(
            .busy, "Too many \(budget.noun) are in progress. Try again shortly.",
            advice: [.retry(afterSeconds: Int64(BudgetLimits.slotRetrySeconds))])
    }

    /// The refusal by a full queue.
    package static var queueIsFull: Problem {
        Problem(
            .busy, "Too many requests of this kind are waiting. Try again shortly.",
            advice: [.retry(afterSeconds: Int64(BudgetLimits.busyRetrySeconds))])
    }
}

extension RateReceipt {
    /// Seconds until one more act is admitted, at least 1.
    package var nextInSeconds: Int64 { max(1, nextIn.wholeSeconds) }
}

extension Int64 {
    /// Nanoseconds as seconds, rounded up.
    fileprivate var wholeSeconds: Int64 { (self + 999_999_999) / 1_000_000_000 }
}
