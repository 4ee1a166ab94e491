import Discovery
import SocialGraph
import Text
import Timeline

/// Business Trends in the product APIs: a filter that ranks, and figures beside videos.
package struct BusinessTrends: Sendable {
    /// The algorithm tag with which a business account requests trends, in any letter case.
    package static let tag = NameFolding.key("Business Trends")

    let graph: GraphStore
    let timelines: Timelines
    let trends: Trends
    let rankings: Rankings

    package init(graph: GraphStore, timelines: Timelines, trends: Trends, rankings: Rankings) {
        self.graph = graph
        self.timelines = timelines
        self.trends = trends
        self.rankings = rankings
    }

    /// Removes the algorithm from the requested names; returns true if it was among them.
    package func takeName(from names: inout [String]?) -> Bool {
        guard let all = names else { return false }
        let others = all.filter { NameFolding.key($0) != Self.tag }
        names = others.isEmpty ? nil : others
        return others.count < all.count
    }

    /// Returns a page of everybody's public posts that match `filter`, by trend; nil if the cursor is not from this
    /// ranking.
    ///
    /// - Throws: ``GraphError/notBusiness``, ``GraphError/rankingExpired``.
    package func page(
        for viewer: UserID, cursor: RankingCursor?, limit: Int, filter: FeedFilter
    ) async throws -> RankedPage<TimelineItem>? {
        guard try await graph.accounts.isBusiness(viewer) else { throw GraphError.notBusiness }
        return try await rankings.page(of: .business(.week), cursor: cursor, limit: limit) {
            try await timelines.lists.ranked($0, for: viewer, filter: filter)
        }
    }

    /// Returns the figures of posts for business accounts. Returns nothing for other accounts, and nothing for posts
    /// with too little data.
    package func figures(of posts: [PostID], for viewer: UserID) async throws -> [PostID: TrendStatistics] {
        guard !posts.isEmpty, try await graph.accounts.isBusiness(viewer) else { return [:] }
        var figures: [PostID: TrendStatistics] = [:]
        for (post, statistics) in zip(posts, try await trends.posts(posts)) { figures[post] = statistics }
        return figures
    }
}
