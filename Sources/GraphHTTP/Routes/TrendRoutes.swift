import Discovery
import GraphServices
import Hummingbird
import SocialGraph
import Text
import Timeline

/// Ranked feeds, and trends. Their cursors name a stored ranking.
struct TrendRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let trends: Trends
    let rankings: Rankings

    /// `GET /v1/timelines/trending` → {items, nextCursor}: everybody's public posts by their engagement within `window`
    /// (1h, 24h or 7d; default 24h); takes `category`, `algorithms` and `explain` like the other timelines
    @Sendable func trending(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let window = try query.choice("window", default: TrendingWindow.day)
        let algorithms = try query.algorithms()
        let ask = try await question(&query, caller, algorithms)
        let page = try await page(ask, caller, of: .trending(window))
        let reasons = try await reasons(page, ask, caller, .trending(window: window.rawValue))
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json(reservingCapacity: page.items.encodedSize) { $0.ranked(page, details, reasons: reasons) }
    }

    /// `GET /v1/trends` → {items: [{name, kind, trendRating, confidenceInterval, engagements, posts}]}, for business
    /// accounts: tags and categories by their rise over `window` (24h or 7d; default 7d), of one `kind` or both
    @Sendable func topics(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let window = try query.choice("window", default: TrendWindow.week)
        let kind = try query.optionalChoice("kind", of: TopicKind.self)
        let limit = try query.limit()
        try query.end()
        try await requireBusiness(caller)
        let topics = try await trends.topics(window, kind: kind, limit: limit)
        return .json { $0.topicTrends(topics) }
    }

    /// Returns a page of everybody's public posts by trend, each with its `businessData`; nil if the request does not
    /// name the algorithm "Business Trends". Other tags filter.
    func businessTimeline(_ request: Request, _ caller: UserID) async throws -> Response? {
        var query = try QueryParameters(request.uri.query)
        guard let tags = try await businessTags(&query, caller) else { return nil }
        let ask = try await question(&query, caller, tags.isEmpty ? nil : .named(tags))
        let window = TrendWindow.week
        let page = try await page(ask, caller, of: .business(window))
        let reasons = try await reasons(page, ask, caller, .businessTrend(window: window.rawValue))
        let statistics = try await trends.posts(page.items.map(\.post.id), window)
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json(reservingCapacity: page.items.encodedSize) {
            $0.ranked(page, details, reasons: reasons, businessData: statistics)
        }
    }

    /// Returns the other tags if "Business Trends" is among the requested ones, otherwise nil. The caller's own
    /// selection applies to every feed: "Business Trends" in it only affects business accounts, and is not an error for
    /// others.
    private func businessTags(_ query: inout QueryParameters, _ caller: UserID) async throws -> [String]? {
        guard let choice = try query.algorithms() else { return nil }
        let tags =
            switch choice {
            case .named(let tags): tags
            case .selected: try await timelines.filters.selectedAlgorithms(of: caller)
            }
        let others = tags.filter { NameFolding.key($0) != BusinessTrends.tag }
        guard others.count < tags.count else { return nil }
        if choice == .selected, try await !graph.accounts.isBusiness(caller) { return nil }
        try await requireBusiness(caller)
        return others
    }

    private func requireBusiness(_ caller: UserID) async throws {
        guard try await graph.accounts.isBusiness(caller) else { throw GraphError.notBusiness }
    }

    private struct Question {
        let limit: Int
        let cursor: RankingCursor?
        let filter: NamedFilter
        let isExplained: Bool
    }

    /// Reads the rest of the query.
    private func question(
        _ query: inout QueryParameters, _ caller: UserID, _ algorithms: AlgorithmChoice?
    ) async throws -> Question {
        let (limit, cursor) = (try query.limit(), try query.rankingCursor())
        let isExplained = try query.flag("explain")
        let category = try query.category()
        let attributes = try query.attributes()
        try query.end()
        let filter = try await timelines.filters.filter(
            category: category, algorithms: algorithms, attributes: attributes, of: caller)
        return Question(limit: limit, cursor: cursor, filter: filter, isExplained: isExplained)
    }

    private func page(
        _ ask: Question, _ caller: UserID, of name: RankingName
    ) async throws -> RankedPage<TimelineItem> {
        let page = try await rankings.page(of: name, cursor: ask.cursor, limit: ask.limit) {
            try await timelines.lists.ranked($0, for: caller, filter: ask.filter.filter)
        }
        guard let page else { throw Problem.rankingCursor }
        return page
    }

    private func reasons(
        _ page: RankedPage<TimelineItem>, _ ask: Question, _ caller: UserID, _ reason: Reason
    ) async throws -> [[Reason]]? {
        guard ask.isExplained else { return nil }
        return try await timelines.explainer.reasons(
            for: page.items, of: caller, in: .ranked(reason), filter: ask.filter)
    }
}

extension QueryParameters {
    /// Reads `cursor`, the `nextCursor` of an earlier page of a ranked feed.
    mutating func rankingCursor() throws -> RankingCursor? {
        guard let text = string("cursor") else { return nil }
        guard let cursor = RankingCursor(text) else { throw Problem.rankingCursor }
        return cursor
    }
}

extension Problem {
    static let rankingCursor = Problem(
        .invalidCursor, "\"cursor\" must be the nextCursor of an earlier page of this feed.", field: "cursor")
}
