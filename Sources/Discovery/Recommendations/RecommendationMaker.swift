import SocialGraph

/// Makes a list of recommendations: finds candidates, scores them, applies diversity, and reserves places for new
/// posts. The same data at the same time give the same list.
struct RecommendationMaker {
    let graph: GraphStore
    let neighbours: ItemNeighbours
    let scope: RecommendationScope
    /// Trending posts, best first.
    let trending: [PostID]
    /// Milliseconds since 1970.
    let now: Int64
    /// Loads posts in order; nil for a post that the user may not see.
    let visible: ([PostID]) async throws -> [RecommendablePost?]

    /// Returns at most ``DiscoveryLimits/recommendedPosts``, by descending score.
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
