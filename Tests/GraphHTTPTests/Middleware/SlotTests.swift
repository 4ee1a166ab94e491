import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct SlotTests {
    @Test func `a holder has its own and all together have a total`() throws {
        let budgets = Budgets(rates: [:], slots: [.exports: SlotLimit(perHolder: 2, total: 3)])
        var slots = [try budgets.slot(.exports, for: .user(1)), try budgets.slot(.exports, for: .user(1))]
        let own = #expect(throws: Problem.self) { try budgets.slot(.exports, for: .user(1)) }
        #expect(own?.code == .rateLimited && own?.headers[.retryAfter] == "5")
        #expect(own?.headers[.rateLimitPolicy] == "\"exports\";q=2;qu=\"concurrent-requests\"")
        slots.append(try budgets.slot(.exports, for: .user(2)))
        let all = #expect(throws: Problem.self) { try budgets.slot(.exports, for: .user(3)) }
        #expect(all?.code == .busy && all?.headers[.retryAfter] == "5")
        slots.removeFirst()
        _ = try budgets.slot(.exports, for: .user(3))
    }

    @Test func `an address has a larger share than one of its users, and counts once`() throws {
        let limit = SlotLimit(perHolder: 1, perAddress: 2, total: 3)
        let budgets = Budgets(rates: [:], slots: [.uploads: limit])
        let (home, elsewhere) = (BudgetHolder.address(.four(1)), BudgetHolder.address(.four(2)))
        var slots = [try budgets.slot(.uploads, for: .user(1), home)]
        let own = #expect(throws: Problem.self) { try budgets.slot(.uploads, for: .user(1), elsewhere) }
        #expect(own?.headers[.rateLimitPolicy] == "\"uploads\";q=1;qu=\"concurrent-requests\"")
        slots.append(try budgets.slot(.uploads, for: home, home))
        let refused = #expect(throws: Problem.self) { try budgets.slot(.uploads, for: .user(2), home) }
        #expect(refused?.code == .rateLimited && refused?.detail.contains("from one address") == true)
        #expect(refused?.headers[.rateLimitPolicy] == "\"uploads\";q=2;qu=\"concurrent-requests\"")
        // The refusal counted for neither.
        slots.append(try budgets.slot(.uploads, for: .user(2), elsewhere))
        #expect(budgets.taken(.uploads) == 3)
        slots = []
        #expect(budgets.taken(.uploads) == 0)
    }

    @Test(arguments: SlotBudget.allCases)
    func `nobody may have all of a resource that is used for long`(_ budget: SlotBudget) {
        let limit = budget.limit
        #expect(limit.perHolder < limit.total && (limit.perAddress < limit.total || limit.perAddress == .max))
        for total in 1...600 {
            let lowered = limit.lowered(to: total)
            for share in [lowered.perHolder, lowered.perAddress] { #expect(share >= 1 && share <= max(total / 2, 1)) }
            #expect(lowered.perHolder <= limit.perHolder && lowered.perAddress <= limit.perAddress)
        }
    }

    @Test func `a slot is given back once also when an error is thrown`() throws {
        let budgets = Budgets(rates: [:], slots: [.exports: SlotLimit(perHolder: 1, total: 1)])
        struct Failure: Error {}
        func fail() throws {
            let slot = try budgets.slot(.exports, for: .user(1))
            defer { withExtendedLifetime(slot) {} }
            throw Failure()
        }
        #expect(throws: Failure.self) { try fail() }
        let slot = try budgets.slot(.exports, for: .user(1))
        slot.release()
        slot.release()
        #expect(budgets.taken(.exports) == 0)
        _ = slot
    }

    @Test func `a task that is cancelled gives its slot back`() async throws {
        let budgets = Budgets(rates: [:], slots: [.exports: SlotLimit(perHolder: 1, total: 1)])
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            let slot = try budgets.slot(.exports, for: .user(1))
            defer { withExtendedLifetime(slot) {} }
            start.yield()
            // Not for synchronisation: the sleep is cancelled.
            try await Task.sleep(for: .seconds(3_600))
        }
        for await _ in started { break }
        #expect(budgets.taken(.exports) == 1)
        task.cancel()
        _ = await task.result
        #expect(budgets.taken(.exports) == 0)
    }

    /// Compares with a list of the slots in use.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the counts are what a list of slots says`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let limit = SlotLimit(
            perHolder: Int.random(in: 1...4, using: &random), perAddress: Int.random(in: 1...6, using: &random),
            total: Int.random(in: 1...12, using: &random))
        var counts = SlotCounts(limit)
        var out: [[BudgetHolder]] = []
        for _ in 0..<2_000 {
            if Bool.random(using: &random), let index = out.indices.randomElement(using: &random) {
                counts.giveBack(out.remove(at: index))
            } else {
                var holders = [BudgetHolder.user(Int64.random(in: 0..<6, using: &random))]
                if Bool.random(using: &random) {
                    holders.append(.address(.four(UInt32.random(in: 0..<3, using: &random))))
                }
                let full = holders.first { holder in
                    out.count { $0.contains(holder) } >= (holder == holders[0] ? limit.perHolder : limit.perAddress)
                }
                let expected = full.map { SlotCounts.Decision.holderIsFull($0) }
                let decision = counts.take(holders)
                #expect(decision == (expected ?? (out.count == limit.total ? .allAreTaken : .taken)))
                if decision == .taken { out.append(holders) }
            }
            #expect(counts.taken == out.count)
            #expect(counts.holders == Set(out.flatMap(\.self)).count)
        }
    }
}
