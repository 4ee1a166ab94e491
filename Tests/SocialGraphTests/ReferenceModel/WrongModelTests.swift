import TestSupport
import Testing

@testable import SocialGraphModel

/// The comparison with the reference model can fail. Any graph that is right will do, so these tests need not run on
/// each engine.
@Suite(.timeLimit(.model))
struct WrongModelTests {
    @Test(arguments: ReferenceGraph.Defect.allCases)
    func `a model that is wrong is noticed`(defect: ReferenceGraph.Defect) async throws {
        var isNoticed = false
        // Some defects rarely matter, so histories run until one notices.
        for seed in 7..<47 as Range<UInt64> where !isNoticed {
            isNoticed = try await withGraph(on: .sqlite) { fixture in
                var history = RandomHistory(fixture, shape: .small, seed: seed, defect: defect)
                return try await history.run() != nil
            }
        }
        #expect(isNoticed)
    }
}
