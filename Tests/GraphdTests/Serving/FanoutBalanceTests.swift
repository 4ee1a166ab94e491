import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct FanoutBalanceTests {
    private let balance = FanoutBalance(groups: 16)

    @Test func `a node takes up to its share at once, and more once nobody else has come`() {
        #expect(balance.mayTake(free: .zero, holding: 15, beside: []))
        #expect(balance.mayTake(free: .zero, holding: 4, beside: [5, 5]))
        #expect(!balance.mayTake(free: .zero, holding: 5, beside: [5, 5]))
        #expect(balance.mayTake(free: FanoutBalance.patience / 2, holding: 5, beside: [5, 5]))
        #expect(!balance.mayTake(free: FanoutBalance.patience / 2, holding: 6, beside: [5, 4]))
        #expect(balance.mayTake(free: FanoutBalance.patience, holding: 6, beside: [5, 4]))
    }

    @Test func `a node hands on what others lack, and nothing if all have about as many`() {
        #expect(balance.surplus(holding: 16, beside: []) == 0)
        #expect(balance.surplus(holding: 16, beside: [0]) == 8)
        #expect(balance.surplus(holding: 8, beside: [8, 0]) == 3)
        #expect(balance.surplus(holding: 6, beside: [5, 5]) == 0)
        #expect(balance.surplus(holding: 6, beside: [6, 4]) == 1)
        #expect(FanoutBalance(groups: 1).surplus(holding: 1, beside: [0, 0]) == 0)
    }

    @Test(arguments: 1...20) func `handing on and taking come to rest with equal shares`(nodes: Int) {
        var held = [16] + Array(repeating: 0, count: nodes - 1)
        for _ in 0..<40 {
            // All decide by what they knew before.
            let surplus = held.indices.map { balance.surplus(holding: held[$0], beside: others(of: $0, held)) }
            for node in held.indices { held[node] -= surplus[node] }
            for free in [Duration.zero, FanoutBalance.patience / 2, FanoutBalance.patience] {
                for node in held.indices {
                    while held.reduce(0, +) < 16,
                        balance.mayTake(free: free, holding: held[node], beside: others(of: node, held))
                    { held[node] += 1 }
                }
            }
        }
        #expect(held.reduce(0, +) == 16)
        #expect(held.allSatisfy { $0 >= 16 / nodes && $0 <= (16 + nodes - 1) / nodes }, "\(held)")
    }

    private func others(of node: Int, _ held: [Int]) -> [Int] {
        held.indices.filter { $0 != node }.map { held[$0] }
    }
}
