import Foundation
import TestSupport
import Testing

/// The reference model beside a graph on PostgreSQL whose server is killed and started again.
@Suite(.timeLimit(.model))
struct KilledServerModelTests {
    /// Steps of all histories together. The environment variable asks for more than a change needs.
    private static let steps =
        ProcessInfo.processInfo.environment["GRAPHD_TEST_MODEL_STEPS"].flatMap { Int($0) } ?? 10_000

    @Test(arguments: [4, 20_260_102] as [UInt64])
    func `every answer equals the model's, whenever the server is killed`(seed: UInt64) async throws {
        let server = try PostgreSQLServer()
        try await server.start()
        let kills = Taken()
        do {
            try await server.withGraphDatabase { address in
                try await withGraph(at: .server(address)) { fixture in
                    var shape = RandomHistory.Shape.small
                    shape.steps = Self.steps / 2
                    var history = RandomHistory(fixture, shape: shape, seed: seed) {
                        try await server.restart()
                        kills.note(1)
                    }
                    let disagreement = try await history.run()
                    #expect(disagreement == nil, "seed \(seed): \(disagreement?.description ?? "")")
                }
            }
        } catch {
            await server.remove()
            throw error
        }
        await server.remove()
        #expect(kills.all.count >= 5)
    }
}
