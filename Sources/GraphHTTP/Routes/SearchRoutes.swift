import Database
import Discovery
import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Text
import Timeline

/// Searches for posts, people and communities by words, regardless of letter case and diacritics. All words must match,
/// the last one as a prefix.
struct SearchRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let posts: PostSearch
    let publicURL: @Sendable (String) -> String

    /// `GET /v1/search/posts` → {items, nextCursor, corrected}: posts visible to the caller that contain the words of
    /// `q` (in title, caption, tags, category or the names of their authors) and meet every condition: `category`,
    /// `algorithms`, `attributes.<name>`, `duration` (short, medium or long), `author`, `community`, `since`, `until`;
    /// by `sort` (relevance, recency or popularity)
    @Sendable func posts(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var parameters = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try parameters.limit(), try parameters.searchCursor())
        let query = try await query(&parameters, caller)
        try parameters.end()
        let page = try await posts.page(query, for: caller, cursor: cursor, limit: limit) {
            try await timelines.lists.listed($0, for: caller)
        }
        guard let page else { throw Problem.searchCursor }
        let details = try await timelines.details.details(of: page.items.map(\.post), for: caller)
        return .json(reservingCapacity: page.items.encodedSize) { $0.searchPage(page, details) }
    }

    /// `GET /v1/search/users?q` → {items}: the best `limit` users with the words in their names or bio, by relevance
    /// and followers, without users on either side of a block with the caller
    @Sendable func users(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var parameters = try QueryParameters(request.uri.query)
        let (limit, words) = (try parameters.limit(), try parameters.requiredWords())
        try parameters.end()
        let found = try await graph.search.accounts(matching: SearchWords(words), for: caller, limit: limit)
        return .json { $0.items(found) { $0.account($1, publicURL) } }
    }

    /// `GET /v1/search/communities?q` → {items, nextCursor}: those with the words in their name, the latest first
    @Sendable func communities(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var parameters = try QueryParameters(request.uri.query)
        let (limit, cursor) = (try parameters.limit(), try parameters.cursor())
        let words = try parameters.requiredWords()
        try parameters.end()
        let page = try await graph.communities.communities(matching: words, below: cursor, limit: limit)
        let memberships = try await graph.communities.memberships(of: caller)
        return .json { json in
            json.page(page.items, next: page.next) { $0.community($1, memberships[$1.id]) }
        }
    }

    private func query(_ parameters: inout QueryParameters, _ caller: UserID) async throws -> PostQuery {
        let words = try parameters.words()
        let sort = try parameters.optionalChoice("sort", of: PostSort.self)
        guard sort != .relevance || words != nil else {
            throw Problem(.invalidParameter, "\"sort\" can be relevance only if \"q\" has words.", field: "sort")
        }
        var filter = PostFilter(
            category: try parameters.category(), attributes: try parameters.attributes(),
            duration: try parameters.optionalChoice("duration", of: DurationClass.self),
            author: try parameters.id("author").map(UserID.init(rawValue:)),
            community: try parameters.id("community").map(CommunityID.init(rawValue:)),
            since: try parameters.time("since"), until: try parameters.time("until"))
        switch try parameters.algorithms() {
        case nil: break
        case .named(let tags): filter.algorithms = tags
        case .selected: filter.algorithms = try await timelines.filters.selectedAlgorithms(of: caller)
        }
        return PostQuery(words: words, filter: filter, sort: sort)
    }
}

extension QueryParameters {
    /// Reads `q`: 1 to ``SocialGraphLimits/searchLength`` characters; nil if it is not given.
    fileprivate mutating func words() throws -> String? {
        guard let text = string("q") else { return nil }
        guard !text.isEmpty, TextRules.isWithin(SocialGraphLimits.searchLength, text) else {
            throw Problem(
                .invalidParameter, "\"q\" must be 1 to \(SocialGraphLimits.searchLength) characters.", field: "q")
        }
        return text
    }

    fileprivate mutating func requiredWords() throws -> String {
        guard let text = try words() else {
            throw Problem(.invalidParameter, "\"q\" must have at least one word to search for.", field: "q")
        }
        return text
    }

    /// Reads a time in the format of answers, in milliseconds since 1970.
    fileprivate mutating func time(_ name: String) throws -> Int64? {
        guard let text = string(name) else { return nil }
        guard let time = TimeText.milliseconds(text) else {
            throw Problem(
                .invalidParameter, "\"\(name)\" must be a time since 1970, such as 2026-11-21T08:00:00Z.", field: name)
        }
        return time
    }

    /// Reads `cursor`, the `nextCursor` of an earlier page.
    fileprivate mutating func searchCursor() throws -> SearchCursor? {
        guard let text = string("cursor") else { return nil }
        guard let cursor = SearchCursor(text) else { throw Problem.searchCursor }
        return cursor
    }
}

extension Problem {
    fileprivate static let searchCursor = Problem(
        .invalidCursor, "\"cursor\" must be the nextCursor of an earlier page of this search.", field: "cursor")
}
