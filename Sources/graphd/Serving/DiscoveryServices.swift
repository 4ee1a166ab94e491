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

    /// - Parameter clock: milliseconds since 1970, the same as the database's.
    init(
        graph: GraphStore, timelines: Timelines, similar index: SimilarIndex,
        clock: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        trends = Trends(graph: graph, clock: clock)
        rankings = Rankings(graph: graph, trends: trends, clock: clock)
        search = PostSearch(graph: graph, rankings: rankings)
        segments = Segments(graph: graph, threads: TextThreads())
        let neighbours = NeighbourIndex(graph: graph)
        recommendations = Recommendations(
            graph: graph, rankings: rankings, index: neighbours, timelines: timelines, clock: clock)
        similar = SimilarPosts(graph: graph, index: index)
        running = [
            SimilarIndexing(index: index, logger: logger), NeighbourRefresher(index: neighbours, logger: logger),
        ]
    }
}
