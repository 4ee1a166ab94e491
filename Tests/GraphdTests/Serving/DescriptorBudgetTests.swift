import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct DescriptorBudgetTests {
    @Test func `what is shared out is never more than there is`() throws {
        for limit in Array(DescriptorBudget.minimum...4_096) + [65_536, 1_048_576] {
            for (wanted, perAddress) in [(16, 0), (30_000, 1_000), (1_000_000, 0)] {
                let budget = try #require(
                    DescriptorBudget(limit: limit, wanted: wanted, wantedPerAddress: perAddress))
                let taken =
                    DescriptorBudget.ownDescriptors + budget.connections + budget.refusals + budget.downloads
                    + budget.uploads
                #expect(taken <= limit, "\(limit): \(budget)")
                #expect(budget.connections >= min(wanted, DescriptorBudget.fewestConnections), "\(limit): \(budget)")
                #expect(budget.connections <= wanted && budget.connectionsPerAddress <= budget.connections)
                #expect(budget.connectionsPerAddress >= 1 && budget.downloads >= 1 && budget.uploads >= 1)
                let isWhole =
                    budget.connections == wanted && budget.downloads == RequestLimits.downloads
                    && budget.uploads == RequestLimits.uploads
                #expect(budget.isLowered == !isWhole, "\(limit): \(budget)")
                for (slots, transfers) in [(SlotBudget.downloads, budget.downloads), (.uploads, budget.uploads)] {
                    let lowered = try #require(budget.slots[slots])
                    #expect(lowered.total == transfers && lowered.perAddress == max(transfers / 2, 1), "\(budget)")
                    #expect((1...lowered.perAddress).contains(lowered.perHolder), "\(budget)")
                }
            }
        }
    }

    @Test func `below the minimum there is no budget`() {
        for limit in [0, 64, DescriptorBudget.minimum - 1] {
            #expect(DescriptorBudget(limit: limit, wanted: 16, wantedPerAddress: 0) == nil)
        }
    }

    @Test func `where they are scarce no address gets all`() throws {
        let budget = try #require(DescriptorBudget(limit: 1_024, wanted: 30_000, wantedPerAddress: 1_000))
        #expect(budget.isLowered && budget.connections >= 500)
        #expect(budget.connectionsPerAddress == budget.connections / 2)
    }
}
