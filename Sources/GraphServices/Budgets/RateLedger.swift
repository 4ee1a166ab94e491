import Synchronization

/// The logs of all holders of one rate, in this process. A store shared by several nodes needs these three operations,
/// each of them atomic for one holder.
///
/// Memory is bounded: beyond its capacity, the least recently active holders are forgotten.
final class RateLedger: Sendable {
    /// Number of acts that one rate remembers, over all its holders, in each of two generations (16 bytes each). Acts
    /// that came together count as one.
    static let rememberedActs = 262_144

    private let logs: Mutex<TwoGenerationMap<BudgetHolder, RateLog>>

    /// - Parameter capacity: acts remembered in each of two generations; a holder counts as four more.
    init(capacity: Int = RateLedger.rememberedActs) {
        logs = Mutex(TwoGenerationMap(capacity: capacity) { 4 + $0.size })
    }

    func admit(_ holder: BudgetHolder, _ rate: Rate, acts: Int = 1, now: Int64) -> RateDecision {
        logs.withLock { logs in
            // Taken out to be changed in place and not copied.
            var log = logs.removeValue(forKey: holder) ?? RateLog()
            defer { logs[holder] = log }
            return log.admit(rate, acts: acts, now: now)
        }
    }

    /// Takes back an act that was admitted at `time`.
    func takeBack(_ holder: BudgetHolder, _ time: Int64) {
        logs.withLock { logs in
            guard var log = logs.removeValue(forKey: holder) else { return }
            log.takeBack(time)
            if log.count > 0 { logs[holder] = log }
        }
    }

    /// Forgets all acts of a holder.
    func clear(_ holder: BudgetHolder) {
        logs.withLock { _ = $0.removeValue(forKey: holder) }
    }

    /// Entries and holders that are remembered, as `capacity` counts them.
    var weight: Int { logs.withLock { $0.weight } }
}
