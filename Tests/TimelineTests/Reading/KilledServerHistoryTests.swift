import TestSupport
import Testing

@testable import Timeline

/// Histories on PostgreSQL in which both its server and Redis are killed and started again.
@Suite(.timeLimit(.model))
struct KilledServerHistoryTests {
    @Test(.redisServer, arguments: [31, 32] as [UInt64])
    func `every read is right, and all is exact at rest`(seed: UInt64) async throws {
        try await PostgreSQLServer.running { server in
            try await server.withGraphDatabase { address in
                try await withTimeline(at: .server(address), .impatient) { harness in
                    var history = HomeHistory(harness, seed: seed, isSwarm: false) { try await server.restart() }
                    try await history.run(users: 24, rounds: 3, steps: 300)
                    try #require(history.problems.isEmpty, "seed \(seed)")
                    #expect(history.fewestWindows >= 22, "windows must be there to be compared")
                    for act in [HomeHistory.Act.kill.rawValue, "nemesis"] {
                        #expect(history.counts[act, default: 0] > 0, "\(act) has not happened")
                    }
                }
            }
        }
    }
}
