import Database
import SocialGraph

/// What rises and what falls among topics and posts, for business accounts. Worked out for each window when somebody
/// asks, at most every ``DiscoveryLimits/freshness``.
package final class Trends: Sendable {
    private let graph: GraphStore
    private let reports: [TrendWindow: FreshValue<TrendReport>]

    /// `clock`: milliseconds since 1970.
    package init(graph: GraphStore, clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds) {
        DiscoveryLimits.assertConsistency()
        self.graph = graph
        reports = Dictionary(
            uniqueKeysWithValues: TrendWindow.allCases.map { window in
                let report = FreshValue(freshness: DiscoveryLimits.freshness, clock: clock) {
                    try await TrendReport.make(graph, window, now: clock())
                }
                return (window, report)
            })
    }

    /// The topics of `kind`, or of both kinds, rising most first: at most `limit`, which is at most
    /// ``DiscoveryLimits/listedTopics``. Public posts alone are counted.
    package func topics(_ window: TrendWindow, kind: TopicKind? = nil, limit: Int) async throws -> [TopicTrend] {
        let topics = try await report(window).topics
        return Array(topics.lazy.filter { kind == nil || $0.kind == kind }.prefix(limit))
    }

    /// Of one post; nil: too few likes to go by.
    package func post(_ post: PostID, _ window: TrendWindow = .week) async throws -> TrendStatistics? {
        try await posts([post], window)[0]
    }

    /// Of each of `posts`, in their order; nil: too few likes to go by.
    package func posts(_ posts: [PostID], _ window: TrendWindow = .week) async throws -> [TrendStatistics?] {
        let report = try await report(window)
        var counted = report.likes.values.filter(keys: posts)
        let unsampled = posts.filter { !report.likes.contains($0) }
        for hour in try await graph.trends.engagement(of: unsampled, in: report.periods.hours) {
            counted[hour.post, default: PostEngagement()].add(hour, report.periods)
        }
        return posts.map { counted[$0].flatMap(report.statistics) }
    }

    /// The posts that have a rating, rising most first.
    func rankedPosts(_ window: TrendWindow) async throws -> [PostID] { try await report(window).rankedPosts() }

    private func report(_ window: TrendWindow) async throws -> TrendReport {
        guard let report = reports[window] else { preconditionFailure("there is a report for each window") }
        return try await report.value()
    }

    /// Returns when nothing is being worked out.
    func settle() async {
        for report in reports.values { await report.settle() }
    }
}

extension [PostID: PostEngagement] {
    fileprivate func filter(keys: [PostID]) -> Self {
        var found: Self = [:]
        for key in keys { found[key] = self[key] }
        return found
    }
}
