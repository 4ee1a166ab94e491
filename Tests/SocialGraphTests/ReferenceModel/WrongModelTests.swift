import TestSupport
import Testing

@testable import SocialGraphModel

/// The comparison with the reference model can fail. Any graph that is right will do, so these tests need not run on
/// each engine.
@Suite(.timeLimit(.model))
struct WrongModelTests {
    /// Seeds whose histories notice defects that rarely matter. A change of the histories may make others better, which
    /// are then found, only later.
    private static let likelySeeds: [ReferenceGraph.Defect: UInt64] = [
        .blockHidesOneWay: 8, .lockIsIgnored: 8, .privateIsPublic: 8, .roleIsIgnored: 8, .communitySwitchIsIgnored: 8,
        .deletedKeepSharing: 9, .leavingKeepsAuthors: 10, .privateHidesInCommunities: 10, .removalIsIgnored: 10,
        .openedShowsAll: 11, .removalHidesFromAuthors: 11, .hubsReturnAtTheThreshold: 13, .bannedStillSee: 14,
        .pinsOutliveTheirPosts: 14, .ownershipEnds: 17, .openingKeepsRequests: 30,
    ]

    @Test(arguments: ReferenceGraph.Defect.allCases)
    func `a model that is wrong is noticed`(defect: ReferenceGraph.Defect) async throws {
        var isNoticed = false
        // A step of a short history takes less time.
        var shape = RandomHistory.Shape.small
        shape.steps = 400
        let seeds = [Self.likelySeeds[defect] ?? 7] + Array(7..<147)
        for seed in seeds where !isNoticed {
            isNoticed = try await withGraph(on: .sqlite) { fixture in
                var history = RandomHistory(fixture, shape: shape, seed: seed, defect: defect)
                return try await history.run() != nil
            }
        }
        #expect(isNoticed)
    }
}
