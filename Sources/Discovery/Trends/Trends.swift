import Database
import SocialGraph

/// Rising and falling topics and posts, for business accounts. Computed for each window on request, at most once every
/// ``DiscoveryLimits/freshness``.
package final class Trends: Sendable {
    private let graph: GraphStore
    private let reports: [TrendWindow: CachedValue<TrendReport>]

    /// `clock`: milliseconds since 1970.
    package init(graph: GraphStore, clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds) {
        DiscoveryLimits.assertConsistency()
        self.graph = graph
        reports = Dictionary(
            uniqueKeysWithValues: TrendWindow.allCases.map { window in
                let report = CachedValue(freshness: DiscoveryLimits.freshness, clock: clock) {
                    try await TrendReport.make(graph, window, now: clock())
                }
                return (window, report)
            })
    }

    /// Returns the topics of `kind`, or of both kinds, fastest rising first: at most `limit`, which is at most
    /// ``DiscoveryLimits/listedTopics``. Only public posts count.
    package func topics(_ window: TrendWindow, kind: TopicKind? = nil, limit: Int) async throws -> [TopicTrend] {
        let topics = try await report(window).topics
        return Array(topics.lazy.filter { kind == nil || $0.kind == kind }.prefix(limit))
    }

    /// Returns the statistics of one post; nil with too few likes.
    package func post(_ post: PostID, _ window: TrendWindow = .week) async throws -> TrendStatistics? {
        try await posts([post], window)[0]
    }

    /// Returns the statistics of each of `posts`, in order; nil for a post with too few likes.
    package func posts(_ posts: [PostID], _ window: TrendWindow = .week) async throws -> [TrendStatistics?] {
        let report = try await report(window)
        var counted = report.likes.values.filter(keys: posts)
        let unsampled = posts.filter { !report.likes.contains($0) }
        for hour in try await graph.trends.engagement(of: unsampled, in: report.periods.hours) {
            counted[hour.post, default: PostEngagement()].add(hour, report.periods)
        }
        return posts.map { post in counted[post].flatMap { report.statistics(of: post, $0) } }
    }

    /// Returns the posts with a rating, fastest rising first.
    func rankedPosts(_ window: TrendWindow) async throws -> [PostID] { try await report(window).rankedPosts() }

    private func report(_ window: TrendWindow) async throws -> TrendReport {
        guard let report = reports[window] else { preconditionFailure("there is a report for each window") }
        return try await report.value()
    }

    /// Returns when no report is being computed.
    func waitForRefresh() async {
        for report in reports.values { await report.waitForRefresh() }
    }
}

extension [PostID: PostEngagement] {
    fileprivate func filter(keys: [PostID]) -> Self {
        var found: Self = [:]
        for key in keys { found[key] = self[key] }
        return found
    }
}
