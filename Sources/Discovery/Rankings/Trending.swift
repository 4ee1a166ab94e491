import SocialGraph

/// Ranks posts by recent engagement. Whole hours are already counted. A window of one hour reads its acts one by one,
/// because whole hours would be too coarse.
enum Trending {
    /// Largest number of posts with a score. Beyond it, posts without engagement in the latest hours are left out.
    static let scoredPosts = 1_000_000
    /// Largest number of latest acts of each kind that the one-hour ranking reads.
    static let scoredActs = 2_000_000

    /// Returns posts, best first, ties newer first: at most ``DiscoveryLimits/rankingLength``.
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
            // Hours come latest first: a post that first appears here has only old engagement.
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
