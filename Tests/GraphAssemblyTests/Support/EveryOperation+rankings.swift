@testable import Discovery
@testable import SocialGraph

extension EveryOperation {
    /// Queries of trends and rankings.
    static func rank(_ graph: GraphStore, _ post: PostID, _ ann: UserID) async throws {
        _ = try await graph.accounts.isBusiness(ann)
        _ = try await graph.trends.foldEngagement(in: 1...2, into: 0) { rows, _ in
            rows += 1
            return true
        }
        _ = try await graph.trends.engagement(of: [post], in: 1...2)
        _ = try await graph.trends.foldActs(since: 0, limit: 5, into: 0) { acts, _ in acts += 1 }
        let topics = try await graph.topics.topics(.category, named: ["c"]) + graph.topics.topics(.tag, named: ["t"])
        _ = try await graph.trends.topicNames(topics.compactMap(\.self))
        _ = try await graph.trends.publicTopics(of: [post])
        let ranking = try await graph.rankings.storeRanking([post], as: "name")
        _ = try await graph.rankings.latestRanking("name")
        _ = try await graph.rankings.ranking(ranking.id)
    }
}
