import SocialGraph

/// Ranks posts by what they got of late. Whole hours are counted already; where the window is one hour, its acts are
/// gone through one by one, since an hour would be too coarse.
enum Trending {
    /// Posts whose scores are added up. Of more, those without engagement in the latest hours fall off.
    static let scoredPosts = 1_000_000
    /// Acts of each kind that the ranking of one hour looks at, the latest.
    static let scoredActs = 2_000_000

    /// Best first, of equal ones the newer first: at most ``DiscoveryLimits/rankingLength``.
    static func rank(_ graph: GraphStore, _ window: TrendingWindow, now: Int64) async throws -> [PostID] {
        let score = TrendingScore(now: now, window: window)
        let scores =
            switch window {
            case .hour: try await byAct(graph, score)
            case .day, .week: try await byHour(graph, score)
            }
        return scores.lazy.filter { $0.value > 0 }
            .sorted { ($0.value, $0.key) > ($1.value, $1.key) }
            .prefix(DiscoveryLimits.rankingLength).map(\.key)
    }

    private static func byHour(_ graph: GraphStore, _ score: TrendingScore) async throws -> [PostID: Double] {
        try await graph.trends.foldEngagement(in: score.hours, into: [:]) { scores, hour in
            // The latest hour comes first: a post that is met only now has nothing but old engagement.
            if scores.count < Self.scoredPosts || scores[hour.post] != nil {
                scores[hour.post, default: 0] += score.worth(hour)
            }
            return true
        }
    }

    private static func byAct(_ graph: GraphStore, _ score: TrendingScore) async throws -> [PostID: Double] {
        try await graph.trends.foldActs(since: score.start, limit: Self.scoredActs, into: [:]) {
            scores, act in
            if scores.count < Self.scoredPosts || scores[act.post] != nil {
                scores[act.post, default: 0] += score.worth(act.kind, at: act.time)
            }
        }
    }
}
