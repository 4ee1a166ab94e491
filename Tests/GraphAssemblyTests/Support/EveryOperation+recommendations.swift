@testable import Discovery
@testable import SocialGraph

extension EveryOperation {
    /// Watch events, and the queries and writes of recommendations.
    static func recommend(on graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID) async throws {
        try await graph.watches.watch(post, by: bob, seconds: 3, isCompleted: false)
        _ = try await graph.watches.watches(by: bob, below: nil, limit: 5)
        _ = try await graph.recommendations.tasteActs(of: bob, limit: 5)
        for kind in TasteAct.Kind.allCases {
            _ = try await graph.recommendations.tasteActs(kind, below: .max, limit: 5)
        }
        _ = try await graph.recommendations.hasSeen([post], bob)
        for _ in 0...DiscoveryLimits.recommendationListsPerUser {
            let list = try await graph.recommendations.storeRecommendations([1], for: ann, scope: "all")
            _ = try await graph.recommendations.recommendations(list.id)
        }
    }
}
