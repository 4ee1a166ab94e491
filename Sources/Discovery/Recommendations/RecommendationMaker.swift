import SocialGraph

/// Makes a list of recommendations: finds candidates, scores them, sees to diversity, leaves places to what is new. The
/// same data at the same time give the same list.
struct RecommendationMaker {
    let graph: GraphStore
    let neighbours: ItemNeighbours
    let scope: RecommendationScope
    /// Best first.
    let trending: [PostID]
    /// Milliseconds since 1970.
    let now: Int64
    /// Of each post what is known of it, nil where the user may not see it.
    let visible: ([PostID]) async throws -> [RecommendablePost?]

    /// At most ``DiscoveryLimits/recommendedPosts``, by descending score.
    func list(for inputs: RecommendationInputs) async throws -> [Recommendation] {
        let taste = try await Taste(inputs, graph, neighbours, visible: visible)
        let search = CandidateSearch(graph: graph, taste: taste, scope: scope, trending: trending, visible: visible)
        let candidates = try await search.candidates()
        let score = RecommendationScore(taste, trending: trending, candidates: candidates, now: now)
        let scored = candidates.map(score.score)
        let ordered = Diversity.ordered(scored, count: DiscoveryLimits.recommendedPosts)
        let filled = Exploration.filled(ordered, from: scored, for: taste.user, now: now)
        return filled.prefix(DiscoveryLimits.recommendedPosts).map { item in
            Recommendation(post: item.post.id, score: item.score, reasons: score.reasons(for: item.post))
        }
    }
}
