import SocialGraph
import TestSupport
import Testing

@testable import Discovery
@testable import evaluations

/// The measurement itself at a small size. `docs/decisions/0021-similar.md` has the figures of the full size.
@Suite(.timeLimit(.unit))
struct SimilarRecallTests {
    @Test(arguments: [UInt64(1), 2])
    func `all of the nearest are found`(seed: UInt64) async throws {
        try await withDiscovery { fixture in
            let recall = SimilarRecall(vectors: 3_000, dimension: 160, clusters: 20, seed: seed)
            let outcome = try await recall.run(on: fixture.graph, queries: 20, count: 10)
            #expect(outcome.recall == 1)
            #expect(outcome.searches.count == 20 && outcome.comparisons == outcome.comparisons.sorted())
        }
    }

    @Test func `vectors are drawn as they are said to be`() {
        var source = SyntheticVectors(dimension: 384, clusters: 2, seed: 1)
        let drawn = (0..<200).map { _ in source.next().components }
        let products = drawn.indices.flatMap { first in
            drawn[..<first].map { DotProduct.of(drawn[first], $0) }
        }
        let near = products.filter { $0 > 0.35 }
        #expect((0.4...0.6).contains(Double(near.count) / Double(products.count)))
        #expect((0.55...0.68).contains(near.reduce(0, +) / Float(near.count)))
        var again = SyntheticVectors(dimension: 384, clusters: 2, seed: 1)
        #expect(again.next().components == drawn[0])
    }
}
