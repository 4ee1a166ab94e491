import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.model))
struct HomeReferenceModelTests {
    @Test(
        .redisServer,
        arguments: [1, 2, 3] as [UInt64])
    func `thousands of random operations and faults: every read is right, and all is exact at rest`(seed: UInt64)
        async throws
    {
        try await withTimeline(.impatient) { harness async throws in
            var history = HomeHistory(harness, seed: seed, isSwarm: false)
            try await history.run(users: 24, rounds: 3, steps: 300)
            try #require(history.problems.isEmpty, "seed \(seed)")
            #expect(history.fewestWindows >= 22, "windows must be there to be compared")
            for act in HomeHistory.Act.allCases {
                #expect(history.counts[act.rawValue, default: 0] > 0, "\(act) has not happened")
            }
        }
    }

    @Test(
        .redisServer,
        arguments: [21, 22, 23] as [UInt64])
    func `three shards, of which one is killed, stalled or flushed, and whose number changes: every read is right`(
        seed: UInt64
    ) async throws {
        var conditions = TimelineHarness.Conditions.impatient
        conditions.command = .seconds(1)
        try await withTimeline(shards: 3, conditions) { harness async throws in
            var history = HomeHistory(harness, seed: seed, isSwarm: false)
            try await history.run(users: 24, rounds: 3, steps: 250)
            try #require(history.problems.isEmpty, "seed \(seed)")
            // A shard may be given up on a slow machine while they are counted.
            #expect(history.fewestWindows >= 12, "windows must be there to be compared")
            for act in [HomeHistory.Act.kill, .stall, .flush, .restart] {
                #expect(history.counts[act.rawValue, default: 0] > 0, "\(act) has not happened")
            }
        }
    }

    @Test(
        .redisServer,
        arguments: 11...18 as ClosedRange<UInt64>)
    func `histories of few habits: each seed does some things often and others never`(seed: UInt64) async throws {
        try await withTimeline(.impatient) { harness async throws in
            var history = HomeHistory(harness, seed: seed, isSwarm: true)
            try await history.run(users: 14, rounds: 2, steps: 200)
            #expect(history.problems.isEmpty, "seed \(seed)")
        }
    }
}
