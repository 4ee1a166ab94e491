import Discovery
import Logging
import ServiceLifecycle
import SocialGraph
import Timeline

/// Search, trends, segments, recommendations and similar posts, put together once: what routes ask, and what runs
/// beside them.
struct DiscoveryServices: Sendable {
    let trends: Trends
    let rankings: Rankings
    let search: PostSearch
    let segments: Segments
    let recommendations: Recommendations
    let similar: SimilarPosts
    /// Keeps the two indexes in memory up to date.
    let running: [any Service]

    init(graph: GraphStore, timelines: TimelineReader, similar index: SimilarIndex, logger: Logger) {
        trends = Trends(graph: graph)
        rankings = Rankings(graph: graph, trends: trends)
        search = PostSearch(graph: graph, rankings: rankings)
        segments = Segments(graph: graph)
        let neighbours = NeighbourIndex(graph: graph)
        recommendations = Recommendations(
            graph: graph, rankings: rankings, index: neighbours, timelines: timelines)
        similar = SimilarPosts(graph: graph, index: index)
        running = [
            SimilarIndexing(index: index, logger: logger), NeighbourRefresher(index: neighbours, logger: logger),
        ]
    }
}
