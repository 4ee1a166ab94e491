import Synchronization

/// Numbers of concurrent uses of a resource.
package struct SlotLimit: Sendable {
    /// The limit of one holder other than an address.
    package let perHolder: Int
    /// The limit of one address. Larger than that of one of its users: a whole site may share an address.
    package let perAddress: Int
    /// The limit of all together.
    package let total: Int

    package init(perHolder: Int, perAddress: Int = .max, total: Int) {
        (self.perHolder, self.perAddress, self.total) = (perHolder, perAddress, total)
    }

    /// Returns the limit if there are only `total` slots. No holder has more than half of them then, but at least one.
    package func lowered(to total: Int) -> SlotLimit {
        let half = max(total / 2, 1)
        return SlotLimit(perHolder: min(perHolder, half), perAddress: min(perAddress, half), total: total)
    }

    /// Returns the limit of `holder`.
    func share(of holder: BudgetHolder) -> Int {
        if case .address = holder { perAddress } else { perHolder }
    }
}

/// Number of taken slots by holder: the arithmetic, without a lock.
struct SlotCounts: Sendable {
    enum Decision: Sendable, Equatable { case taken, holderIsFull(BudgetHolder), allAreTaken }

    let limit: SlotLimit
    private(set) var taken = 0
    private var byHolder: [BudgetHolder: Int] = [:]

    init(_ limit: SlotLimit) { self.limit = limit }

    /// Holders that have a slot.
    var holders: Int { byHolder.count }

    /// Takes one slot, counted for every holder, or for none of them. No holder is named twice.
    mutating func take(_ holders: [BudgetHolder]) -> Decision {
        if let full = holders.first(where: { byHolder[$0, default: 0] >= limit.share(of: $0) }) {
            return .holderIsFull(full)
        }
        guard taken < limit.total else { return .allAreTaken }
        for holder in holders { byHolder[holder, default: 0] += 1 }
        taken += 1
        return .taken
    }

    mutating func giveBack(_ holders: [BudgetHolder]) {
        taken -= 1
        for holder in holders {
            guard let count = byHolder[holder] else { continue }
            byHolder[holder] = count > 1 ? count - 1 : nil
        }
    }
}

/// The slots of one budget, in this process.
final class SlotPool: Sendable {
    private let budget: SlotBudget
    private let limit: SlotLimit
    private let counts: Mutex<SlotCounts>

    init(_ budget: SlotBudget, _ limit: SlotLimit) {
        (self.budget, self.limit) = (budget, limit)
        counts = Mutex(SlotCounts(limit))
    }

    var taken: Int { counts.withLock { $0.taken } }

    /// - Throws: `Problem` 429 `rate_limited`, 503 `busy`.
    func take(for holders: [BudgetHolder]) throws -> BudgetSlot {
        switch counts.withLock({ $0.take(holders) }) {
        case .taken: return BudgetSlot(pool: self, holders: holders)
        case .holderIsFull(let holder): throw Problem(refusing: budget, to: holder, limit: limit.share(of: holder))
        case .allAreTaken: throw Problem(full: budget)
        }
    }

    fileprivate func giveBack(_ holders: [BudgetHolder]) { counts.withLock { $0.giveBack(holders) } }
}

/// One slot. It is given back once: when it is released, or otherwise with its last reference.
package final class BudgetSlot: Sendable {
    private let pool: SlotPool
    private let holders: [BudgetHolder]
    private let isReleased = Atomic(false)

    fileprivate init(pool: SlotPool, holders: [BudgetHolder]) {
        (self.pool, self.holders) = (pool, holders)
    }

    package func release() {
        if !isReleased.exchange(true, ordering: .relaxed) { pool.giveBack(holders) }
    }

    deinit { release() }
}
