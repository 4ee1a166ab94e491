import Database
import Discovery
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Recommendations for the caller. Cursors name a stored list, as for trending.
struct RecommendationRoutes: Sendable {
    let timelines: Timelines
    let recommendations: Recommendations

    /// `GET /v1/timelines/for-you` → {items: [a post with its score], nextCursor}: public posts that the caller has not
    /// seen, by descending score; takes `category`, `algorithms` and `attributes.<name>` like the other timelines. With
    /// `explain=true` each has `reasons` [{type, postId?, userId?, value?, text}].
    @Sendable func forYou(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try query.limit(), try query.rankingCursor())
        let isExplained = try query.flag("explain")
        let (category, algorithms) = (try query.category(), try query.algorithms())
        let attributes = try query.attributes()
        try query.end()
        let filter = try await timelines.filters.filter(
            category: category, algorithms: algorithms, attributes: attributes, of: caller
        ).filter
        let page = try await recommendations.page(
            for: caller, scope: RecommendationScope(filter), cursor: cursor, limit: limit
        ) {
            try await timelines.lists.ranked($0, for: caller, filter: filter)
        }
        guard let page else { throw Problem.rankingCursor }
        let details = try await timelines.details.details(of: page.items.map(\.item.post), for: caller)
        return .json(reservingCapacity: page.items.map(\.item).encodedSize) {
            $0.recommendations(page, details, isExplained: isExplained)
        }
    }
}

extension RecommendationScope {
    /// The posts that match a filter.
    package init(_ filter: FeedFilter) {
        guard !filter.isNone else {
            self = .everything
            return
        }
        var sources = filter.sources ?? filter.attributes.first.map { [.attributed(name: $0.name)] } ?? [.everything]
        if filter.matchesNothing { sources = [] }
        let tags = filter.algorithms.map { $0.map { String($0.rawValue) }.joined(separator: ",") } ?? ""
        // Values are quoted in the description, so that no text can be mistaken for two conditions.
        let attributes = filter.attributes.map { "\($0)" }.sorted().joined(separator: "&")
        self.init(name: "\(filter.category) \(tags) \(attributes)", sources: sources) {
            filter.matches(category: $0.category, topics: $0.topics, attributes: $0.attributes)
        }
    }
}
