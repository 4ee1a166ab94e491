import SocialGraph
import Testing

@testable import Timeline

@Suite("Home timelines against the reference model", .timeLimit(.minutes(3)))
struct HomeReferenceModelTests {
    @Test(
        "thousands of random operations and faults: every read is right, and all is exact at rest", .redisServer,
        arguments: [1, 2, 3] as [UInt64])
    func randomHistory(seed: UInt64) async throws {
        try await withTimeline { harness async throws in
            var history = HomeHistory(harness, seed: seed)
            try await history.run(users: 40, rounds: 4, steps: 500)
            try #require(history.problems.isEmpty, "seed \(seed)")
            #expect(history.fewestWindows >= 38, "windows must be there to be compared")
            for event in ["unfollow", "delete", "import", "walk", "flush", "kill", "stall", "restart of the service"] {
                #expect(history.counts[event, default: 0] > 0, "\(event) has not happened")
            }
        }
    }
}
