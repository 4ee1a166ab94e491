import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct SlotTests {
    @Test func `a holder has its own and all together have a total`() throws {
        let budgets = Budgets(rates: [:], slots: [.exports: (perHolder: 2, total: 3)])
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

    @Test func `a slot is given back once also when an error is thrown`() throws {
        let budgets = Budgets(rates: [:], slots: [.exports: (perHolder: 1, total: 1)])
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
        let budgets = Budgets(rates: [:], slots: [.exports: (perHolder: 1, total: 1)])
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
        let (perHolder, total) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...12, using: &random))
        var counts = SlotCounts(perHolder: perHolder, total: total)
        var out: [[BudgetHolder]] = []
        for _ in 0..<2_000 {
            if Bool.random(using: &random), let index = out.indices.randomElement(using: &random) {
                counts.giveBack(out.remove(at: index))
            } else {
                let users = Set(
                    (0...Int.random(in: 0...1, using: &random)).map { _ in Int64.random(in: 0..<6, using: &random) })
                let holders = users.map { BudgetHolder.user($0) }
                let isFull = holders.contains { holder in out.count { $0.contains(holder) } >= perHolder }
                let decision = counts.take(holders)
                #expect(decision == (isFull ? .holderIsFull : out.count == total ? .allAreTaken : .taken))
                if decision == .taken { out.append(holders) }
            }
            #expect(counts.taken == out.count)
            #expect(counts.holders == Set(out.flatMap(\.self)).count)
        }
    }
}
