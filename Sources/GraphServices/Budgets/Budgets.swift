/// All budgets of callers: rates of acts, and numbers of concurrent uses.
///
/// Rates and slots are counted by this process. Their arithmetic (``RateLog``, ``SlotCounts``) is separate from the
/// counting (``RateLedger``, ``SlotPool``), so that several nodes can count in one store.
package final class Budgets: Sendable {
    private let rates: [RateBudget: (rate: Rate, ledger: RateLedger)]
    private let slots: [SlotBudget: SlotPool]
    private let heavyReads: FairGate
    private let nodes: @Sendable () -> Int
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - rates: the rates in force; a budget without one is unlimited.
    ///   - slots: limits that differ from the standard ones.
    ///   - nodes: number of nodes that share the rates, at least 1. Each admits its share.
    ///   - now: nanoseconds of a clock that never goes back.
    package init(
        rates: [RateBudget: Rate], slots: [SlotBudget: SlotLimit] = [:],
        nodes: @escaping @Sendable () -> Int = { 1 },
        now: @escaping @Sendable () -> Int64 = Budgets.uptime
    ) {
        self.rates = rates.mapValues { ($0, RateLedger()) }
        self.slots = Dictionary(
            uniqueKeysWithValues: SlotBudget.allCases.map { ($0, SlotPool($0, slots[$0] ?? $0.limit)) })
        heavyReads = FairGate(
            places: BudgetLimits.heavyReadsAtOnce, perHolder: BudgetLimits.heavyReadsPerCaller,
            waiting: BudgetLimits.heavyReadsWaiting)
        self.nodes = nodes
        self.now = now
    }

    /// Returns budgets with the standard slots and no rates.
    static func unlimited() -> Budgets { Budgets(rates: [:]) }

    static let uptime: @Sendable () -> Int64 = {
        let start = ContinuousClock.now
        return { Int64(start.duration(to: .now) / .nanoseconds(1)) }
    }()

    /// Returns true if `budget` has a rate.
    package func limits(_ budget: RateBudget) -> Bool { rates[budget] != nil }

    /// Counts acts of `holder`, all of them or none.
    ///
    /// - Parameter acts: number of acts, at least 1. More than the whole rate count as the whole rate.
    /// - Returns: the remainder, for the answer's header fields; nil if the budget has no rate.
    /// - Throws: `Problem` 429 `rate_limited` with `Retry-After`.
    @discardableResult
    package func spend(_ budget: RateBudget, of holder: BudgetHolder, acts: Int = 1) throws -> RateReceipt? {
        guard let (whole, ledger) = rates[budget] else { return nil }
        let rate = whole.share(of: nodes())
        let now = now()
        switch ledger.admit(holder, rate, acts: acts, now: now) {
        case .allowed(let remaining, let nextIn):
            return RateReceipt(
                budget: budget, rate: rate, holder: holder, time: now, remaining: remaining, nextIn: nextIn)
        case .refused(let retryIn): throw Problem(refusing: budget, rate, retryIn: retryIn)
        }
    }

    /// Takes back an act that does not count after all.
    func takeBack(_ receipt: RateReceipt?) {
        guard let receipt else { return }
        rates[receipt.budget]?.ledger.takeBack(receipt.holder, receipt.time)
    }

    /// Forgets all acts of `holder` in `budget`.
    func clear(_ budget: RateBudget, of holder: BudgetHolder) { rates[budget]?.ledger.clear(holder) }

    /// Takes a slot, until it is released or no longer referenced. It is counted once for each of `holders`.
    ///
    /// - Throws: `Problem` 429 `rate_limited` when a holder has all of its own, 503 `busy` when all are taken.
    package func slot(_ budget: SlotBudget, for holders: BudgetHolder...) throws -> BudgetSlot {
        try slot(budget, for: holders)
    }

    /// Same as the function of this name that takes each holder by itself.
    package func slot(_ budget: SlotBudget, for holders: [BudgetHolder]) throws -> BudgetSlot {
        guard let pool = slots[budget] else { preconditionFailure("every budget of slots has a pool") }
        return try pool.take(for: holders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// Runs a read that may examine far more rows than it returns, when it is the caller's turn.
    ///
    /// - Throws: `Problem` 503 `busy` when too many wait; `CancellationError`; the errors of `body`.
    package func heavyRead<Value>(for caller: WorkCaller, _ body: () async throws -> Value) async throws -> Value {
        try await heavyReads.run(for: caller, body)
    }

    /// Number of taken slots.
    func taken(_ budget: SlotBudget) -> Int { slots[budget]?.taken ?? 0 }
}

/// One counted act, and the remainder after it. Times are nanoseconds.
package struct RateReceipt: Sendable {
    package let budget: RateBudget
    package let rate: Rate
    package let holder: BudgetHolder
    package let time: Int64
    package let remaining: Int
    let nextIn: Int64
}
