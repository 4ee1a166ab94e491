import Foundation
import TestSupport
import Testing

@testable import Timeline

/// The number of histories whose database has outages.
private enum OutageHistories {
    static let steps = 600
    /// The environment variable asks for more steps, of all histories together, than a change needs.
    static let count =
        (ProcessInfo.processInfo.environment["GRAPHD_TEST_MODEL_STEPS"].flatMap { Int($0) } ?? steps) / steps
    static let timeLimit: TimeLimitTrait.Duration = count > 1 ? .minutes(1_000) : .model
}

/// Several nodes over one Redis and one PostgreSQL server, all of which have outages.
@Suite(.timeLimit(OutageHistories.timeLimit), .serialized)
struct OutageModelTests {
    @Test(.redisServer, arguments: 0..<max(OutageHistories.count, 1))
    func `three nodes and their database, which is killed or stopped now and then, too: every read is right`(
        number: Int
    ) async throws {
        let outages = Taken()
        try await PostgreSQLServer.running { server in
            try await server.withGraphDatabase { address in
                try await withTimeline(at: .server(address), nodes: 3, .impatient) { harness in
                    var history = HomeHistory(
                        harness, seed: UInt64(number + 3), isSwarm: false, stepsBetweenNemeses: 60,
                        nemesis: {
                            try await Self.strike(server, number: outages.all.count)
                            outages.note(1)
                        })
                    try await history.run(users: 24, rounds: 2, steps: OutageHistories.steps / 2)
                    try #require(history.problems.isEmpty, "history \(number)")
                    #expect(history.fewestWindows >= 16, "windows must be there to be compared")
                }
            }
        }
        #expect(!outages.all.isEmpty)
    }

    /// Kills the server and starts it again, or stops it for a moment.
    private static func strike(_ server: PostgreSQLServer, number: Int) async throws {
        if number.isMultiple(of: 2) { return try await server.restart() }
        await server.freeze()
        // Not for synchronisation: the time without an answer.
        try await Task.sleep(for: .milliseconds(300))
        await server.thaw()
    }
}
