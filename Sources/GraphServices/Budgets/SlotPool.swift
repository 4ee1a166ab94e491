import Synchronization

/// Number of taken slots by holder: the arithmetic, without a lock.
struct SlotCounts: Sendable {
    enum Decision: Sendable, Equatable { case taken, holderIsFull, allAreTaken }

    let perHolder: Int
    let total: Int
    private(set) var taken = 0
    private var byHolder: [BudgetHolder: Int] = [:]

    init(perHolder: Int, total: Int) {
        (self.perHolder, self.total) = (perHolder, total)
    }

    /// Holders that have a slot.
    var holders: Int { byHolder.count }

    /// Takes one slot, counted for every holder, or for none of them.
    mutating func take(_ holders: [BudgetHolder]) -> Decision {
        guard holders.allSatisfy({ byHolder[$0, default: 0] < perHolder }) else { return .holderIsFull }
        guard taken < total else { return .allAreTaken }
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
    private let counts: Mutex<SlotCounts>

    init(_ budget: SlotBudget, perHolder: Int, total: Int) {
        self.budget = budget
        counts = Mutex(SlotCounts(perHolder: perHolder, total: total))
    }

    var taken: Int { counts.withLock { $0.taken } }

    /// - Throws: `Problem` 429 `rate_limited`, 503 `busy`.
    func take(for holders: [BudgetHolder]) throws -> BudgetSlot {
        let (decision, perHolder) = counts.withLock { ($0.take(holders), $0.perHolder) }
        switch decision {
        case .taken: return BudgetSlot(pool: self, holders: holders)
        case .holderIsFull: throw Problem(refusing: budget, perHolder: perHolder)
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
