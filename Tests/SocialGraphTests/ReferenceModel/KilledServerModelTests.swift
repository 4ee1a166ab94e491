import Foundation
import TestSupport
import Testing

/// The length of the histories.
private enum KilledHistories {
    /// Steps of all together. The environment variable asks for more than a change needs.
    static let steps =
        ProcessInfo.processInfo.environment["GRAPHD_TEST_MODEL_STEPS"].flatMap { Int($0) } ?? 10_000
    static let timeLimit: TimeLimitTrait.Duration = steps > 10_000 ? .minutes(1_000) : .model
}

/// The reference model beside a graph on PostgreSQL whose server is killed and started again.
@Suite(.timeLimit(KilledHistories.timeLimit))
struct KilledServerModelTests {
    /// Several histories, because a step of a long one takes longer.
    private static let seeds: [UInt64] = [5, 6, 20_260_102, 20_260_103]

    @Test(arguments: seeds)
    func `every answer equals the model's, whenever the server is killed`(seed: UInt64) async throws {
        let kills = Taken()
        try await PostgreSQLServer.running { server in
            try await server.withGraphDatabase { address in
                try await withGraph(at: .server(address)) { fixture in
                    var shape = RandomHistory.Shape.small
                    shape.steps = KilledHistories.steps / Self.seeds.count
                    var history = RandomHistory(fixture, shape: shape, seed: seed) {
                        try await server.restart()
                        kills.note(1)
                    }
                    let disagreement = try await history.run()
                    #expect(disagreement == nil, "seed \(seed): \(disagreement?.description ?? "")")
                }
            }
        }
        #expect(kills.all.count >= 3)
    }
}
