import Discovery
import SocialGraph
import Timeline

/// Business Trends as the products' contracts offer them: a filter that ranks, and figures beside videos.
struct BusinessTrends: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let trends: Trends
    let rankings: Rankings

    /// Takes the algorithm out of those asked for; true if it was among them.
    func takeName(from names: inout [String]?) -> Bool {
        guard let all = names else { return false }
        let others = all.filter { NameFolding.key($0) != TrendRoutes.businessTag }
        names = others.isEmpty ? nil : others
        return others.count < all.count
    }

    /// A page of everybody's public posts that match `filter`, by trend. Throws ``GraphError/notBusiness`` and
    /// ``GraphError/rankingExpired``; `Problem` 400 `invalid_cursor`.
    func page(
        for viewer: UserID, cursor: RankingCursor?, limit: Int, filter: FeedFilter
    ) async throws -> RankedPage<TimelineItem> {
        guard try await graph.accounts.isBusiness(viewer) else { throw GraphError.notBusiness }
        let page = try await rankings.page(of: .business(.week), cursor: cursor, limit: limit) {
            try await timelines.lists.ranked($0, for: viewer, filter: filter)
        }
        guard let page else { throw BriefPage.invalidCursor("lastVisible") }
        return page
    }

    /// What business accounts are shown of posts; nothing for others, and of posts with too little to go by.
    func figures(of posts: [PostID], for viewer: UserID) async throws -> [PostID: TrendStatistics] {
        guard !posts.isEmpty, try await graph.accounts.isBusiness(viewer) else { return [:] }
        var figures: [PostID: TrendStatistics] = [:]
        for (post, statistics) in zip(posts, try await trends.posts(posts)) { figures[post] = statistics }
        return figures
    }
}
