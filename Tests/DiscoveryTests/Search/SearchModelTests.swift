import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Searches during random acts, compared with a plain list of the acts.
@Suite(.timeLimit(.model))
struct SearchModelTests {
    @Test(arguments: [1, 20_261_121, 0xFEED, 99, 4_711, 31] as [UInt64])
    func `every page of every order equals a plain look through all posts`(seed: UInt64) async throws {
        try await withDiscovery { fixture in
            var history = try await SearchHistory(fixture, seed: seed)
            for step in 1...240 {
                try await history.step()
                if step.isMultiple(of: 24) {
                    try await history.checkIndexes("seed \(seed), step \(step)")
                    for _ in 0..<20 { try await history.checkSearch("seed \(seed), step \(step)") }
                }
            }
        }
    }
}
