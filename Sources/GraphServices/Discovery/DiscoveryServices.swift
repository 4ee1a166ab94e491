import Discovery
import Logging
import ServiceLifecycle
import SocialGraph
import Timeline

/// Search, trends, segments, recommendations and similar posts, composed once: the services that routes call, and those
/// that run beside them.
package struct DiscoveryServices: Sendable {
    package let trends: Trends
    package let rankings: Rankings
    package let search: PostSearch
    package let segments: Segments
    package let recommendations: Recommendations
    package let similar: SimilarPosts
    /// The services that keep the two in-memory indexes up to date.
    package let running: [any Service]

    /// - Parameter clock: milliseconds since 1970, the same as the database's.
    package init(
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
