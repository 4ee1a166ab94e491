@testable import SocialGraph

extension EveryOperation {
    /// What trends and rankings ask.
    static func rank(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        _ = try await graph.isBusiness(ann)
        _ = try await graph.foldEngagement(in: 1...2, into: 0) { rows, _ in
            rows += 1
            return true
        }
        _ = try await graph.engagement(of: [post], in: 1...2)
        _ = try await graph.foldActs(since: 0, limit: 5, into: 0) { acts, _ in acts += 1 }
        let topics = try await graph.topics(.category, named: ["c"]) + graph.topics(.tag, named: ["t"])
        _ = try await graph.topicNames(topics.compactMap(\.self))
        _ = try await graph.publicTopics(of: [post])
        let ranking = try await graph.storeRanking([post], as: "name")
        _ = try await graph.latestRanking("name")
        _ = try await graph.ranking(ranking.id)
    }
}
