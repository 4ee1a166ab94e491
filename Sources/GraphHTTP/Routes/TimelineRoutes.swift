import Database
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Timelines as pages {items, nextCursor}. All but the author feed take `category`, `algorithms` (comma-separated tags,
/// any of which matches, or `selected`), `attributes.<name>` (a word, or for numbers `20`, `10..20`, `..20` or `10..`;
/// all must hold) and `explain=true`.
struct TimelineRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let trends: TrendRoutes

    /// `GET /v1/timelines/home`
    @Sendable func home(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        let ask = try await question(request, caller)
        return try await answer(ask, caller, in: .home) {
            try await timelines.home.page(
                of: caller, below: ask.cursor, limit: ask.limit, filter: ask.filter.filter, early: .current)
        }
    }

    /// `GET /v1/timelines/public`: everybody's public posts, the latest first, or by trend with the algorithm tag
    /// "Business Trends"
    @Sendable func everything(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        if let ranked = try await trends.businessTimeline(request, caller) { return ranked }
        let ask = try await question(request, caller)
        return try await answer(ask, caller, in: .everybody) {
            try await timelines.feeds.everything(
                for: caller, below: ask.cursor, limit: ask.limit, filter: ask.filter.filter)
        }
    }

    /// `GET /v1/communities/{id}/timeline`; the first page also has `pinned`
    @Sendable func community(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        let ask = try await question(request, caller)
        let community = try await graph.communities.community(context.communityID())
        if community.isPrivate, try await graph.communities.membership(of: caller, in: community.id) == nil {
            throw GraphError.communityNotFound
        }
        let pinned =
            ask.cursor == nil
            ? try await timelines.feeds.posts(graph.communities.pins(of: community.id), for: caller) : nil
        return try await answer(ask, caller, in: .community, pinned: pinned) {
            try await timelines.feeds.community(
                community.id, for: caller, below: ask.cursor, limit: ask.limit, filter: ask.filter.filter)
        }
    }

    /// `GET /v1/timelines/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let caller = try context.requireCaller()
        let page = try await timelines.feeds.author(
            context.userID(), for: caller, below: cursor.map(FeedPosition.init(rawValue:)), limit: limit)
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json(reservingCapacity: page.items.encodedSize) { $0.timeline(page, details, reasons: nil) }
    }

    /// `GET /v1/timelines/home/why/{postId}` → {visible, reasons: [{kind, text}]}
    @Sendable func why(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let filter = try await filter(&query, caller)
        try query.end()
        guard let id = context.parameters.get("postId").flatMap({ TextRules.parseID($0) }) else {
            throw GraphError.postNotFound
        }
        var verdict = try await timelines.explainer.why(PostID(rawValue: id), for: caller, filter: filter)
        // The reason ended during the look-up.
        while verdict.grounds.isEmpty {
            verdict = try await timelines.explainer.why(PostID(rawValue: id), for: caller, filter: filter)
        }
        return .json { $0.verdict(verdict) }
    }

    /// `GET /v1/algorithms`: all tags that curate a feed
    @Sendable func algorithms(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return .json { $0.algorithms(CuratingAlgorithm.all) }
    }

    private struct Question {
        let limit: Int
        let cursor: FeedPosition?
        let filter: NamedFilter
        let isExplained: Bool
    }

    private func question(_ request: Request, _ caller: UserID) async throws -> Question {
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let isExplained = try query.flag("explain")
        let filter = try await filter(&query, caller)
        try query.end()
        return Question(
            limit: limit, cursor: cursor.map(FeedPosition.init(rawValue:)), filter: filter, isExplained: isExplained)
    }

    private func filter(_ query: inout QueryParameters, _ caller: UserID) async throws -> NamedFilter {
        let category = try query.category()
        let attributes = try query.attributes()
        return try await timelines.filters.filter(
            category: category, algorithms: query.algorithms(), attributes: attributes, of: caller)
    }

    private func answer(
        _ ask: Question, _ caller: UserID, in feed: ExplainedFeed, pinned: [TimelineItem]? = nil,
        page read: () async throws -> TimelinePage
    ) async throws -> Response {
        var page = try await read()
        var reasons: [[Reason]]?
        if ask.isExplained {
            var found = try await timelines.explainer.reasons(for: page.items, of: caller, in: feed, filter: ask.filter)
            // The reason for an item may have ended since the page was read; then the item is no longer on the page.
            while found.contains(where: \.isEmpty) {
                page = try await read()
                found = try await timelines.explainer.reasons(for: page.items, of: caller, in: feed, filter: ask.filter)
            }
            reasons = found
        }
        let shown = page.items + (pinned ?? [])
        let details = try await timelines.details.details(of: shown.map(\.post), for: caller)
        return .json(reservingCapacity: shown.encodedSize) { [page] json in
            json.timeline(
                page, Array(details.prefix(page.items.count)), reasons: reasons,
                pinned: pinned.map { Array(zip($0, details.dropFirst(page.items.count))) })
        }
    }
}

extension [TimelineItem] {
    /// Bytes that the items take in an answer, roughly; a card and the reader's state take up to about 300.
    package var encodedSize: Int { reduce(64) { $0 + $1.post.json.count + 300 } }
}

extension FilterLookup {
    /// Returns the filter that `caller` requests.
    package func filter(
        category: String?, algorithms choice: AlgorithmChoice?, attributes: [AttributeCondition], of caller: UserID
    ) async throws -> NamedFilter {
        let algorithms: [String]?
        switch choice {
        case nil where category == nil && attributes.isEmpty: return .none
        case nil: algorithms = nil
        case .named(let tags): algorithms = tags
        case .selected: algorithms = try await selectedAlgorithms(of: caller)
        }
        return try await filter(category: category, algorithms: algorithms, attributes: attributes)
    }
}
