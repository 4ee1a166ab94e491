import Foundation
import TestSupport
import Testing

@testable import Timeline

/// The number of histories whose servers have outages.
private enum OutageHistories {
    static let steps = 600
    /// The environment variables ask for more steps, of all histories together, than a change needs, and for others.
    static let count = max((number(in: "GRAPHD_TEST_MODEL_STEPS") ?? steps) / steps, 1)
    static let first = number(in: "GRAPHD_TEST_MODEL_FIRST") ?? 0
    static let timeLimit: TimeLimitTrait.Duration = count > 1 ? .minutes(1_000) : .model

    private static func number(in variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }
}

/// Several nodes over one PostgreSQL server and Redis, all of which have outages, as do the lines between them.
@Suite(.timeLimit(OutageHistories.timeLimit), .serialized)
struct OutageModelTests {
    @Test(.redisServer, arguments: OutageHistories.first..<(OutageHistories.first + OutageHistories.count))
    func `three nodes and their database, which is killed, stopped or cut off now and then: every read is right`(
        number: Int
    ) async throws {
        try await PostgreSQLServer.running { server in
            try await server.withGraphDatabase { address in
                // Every other one of many histories is over a cluster.
                if number.isMultiple(of: 2) {
                    try await withTimeline(at: .server(address), nodes: 3, .parted) { harness in
                        try await Self.run(harness, server, number)
                    }
                } else {
                    try await RedisClusterServers.with { cluster in
                        try await withTimeline(at: .server(address), cluster: cluster, nodes: 3, .parted) { harness in
                            try await Self.run(harness, server, number)
                        }
                    }
                }
            }
        }
    }

    private static func run(_ harness: TimelineHarness, _ server: PostgreSQLServer, _ number: Int) async throws {
        let seed = UInt64(number + 3)
        let outages = OutageNemesis(server, harness.lines, seed: seed)
        let changes = harness.cluster.map { ClusterNemesis($0, seed: seed, graph: harness.otherGraph) }
        var history = HomeHistory(
            harness, seed: seed, isSwarm: false, stepsBetweenNemeses: 30,
            nemesis: {
                try await outages.strike()
                try await changes?.act()
            },
            makePeace: {
                await outages.makePeace()
                try await changes?.makePeace()
            })
        try await history.run(users: 24, rounds: 2, steps: OutageHistories.steps / 2)
        await outages.makePeace()
        try #require(history.problems.isEmpty, "history \(number)")
        #expect(history.fewestWindows >= 12, "windows must be there to be compared")
        let done = await outages.done
        #expect(done.count == OutageNemesis.Outage.allCases.count, "\(done)")
    }
}

extension TimelineHarness.Conditions {
    /// For histories in which lines are cut.
    fileprivate static let parted = {
        var conditions = impatient
        conditions.hasLines = true
        return conditions
    }()
}
