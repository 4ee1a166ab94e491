import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.model))
struct HomeClusterModelTests {
    @Test(arguments: [(31, nil), (32, 3)] as [(UInt64, Int?)])
    func `a cluster whose masters are killed, handed over and rolled back, and whose slots move: every read is right`(
        seed: UInt64, nodes: Int?
    ) async throws {
        try await RedisClusterServers.with { servers in
            try await withTimeline(cluster: servers, nodes: nodes, .impatient) { harness async throws in
                let nemesis = ClusterNemesis(servers, seed: seed, graph: harness.otherGraph)
                var history = HomeHistory(
                    harness, seed: seed, isSwarm: false, stepsBetweenNemeses: 12,
                    nemesis: { try await nemesis.act() }, makePeace: { try await nemesis.makePeace() })
                // The second history takes far longer for each step.
                try await history.run(users: 24, rounds: nodes == nil ? 2 : 1, steps: 250)
                try #require(history.problems.isEmpty, "seed \(seed)")
                #expect(history.fewestWindows >= 12, "windows must be there to be compared")
                let done = await nemesis.done
                let missing = ClusterNemesis.Fault.allCases.filter { done[$0, default: 0] == 0 }
                #expect(nodes == nil ? missing.isEmpty : done.count >= 3, "\(missing) have not happened")
            }
        }
    }
}
