import Discovery
import GraphAPI
import GraphHTTP
import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Timeline

extension VideoRoutes {
    /// `GET /videos` and `GET /search/videos` → a JSON array of videos. Parameters: `q` (words), any attribute of
    /// videos, `category`, `tags`, `duration` (short, medium, long or a range of seconds), `sort` (recent, popular,
    /// relevance), `limit` (default 20), `startAfter` (the last video's id; for ranked lists, the header
    /// `X-Next-Cursor` of the previous page).
    @Sendable func videos(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var query = try QueryParameters(request.uri.query)
        let ask = try VideoQuestion(&query, aliases: Product.parameterAliases, carryingAnyOf: Product.attributes)
        let timelines = services.timelines
        let page = try await services.search.page(ask.query, for: caller, cursor: ask.cursor, limit: ask.limit) {
            try await timelines.lists.listed($0, for: caller)
        }
        guard let page else { throw ProductPage.invalidCursor("startAfter") }
        let posts = try await services.graph.posts.posts(page.items.map(\.post.id))
        return try await answer(posts, next: page.next?.text)
    }

    /// `GET /videos/{id}` → the video
    @Sendable func video(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let post = try await requireVideo(context.postID(), for: context.requireCaller())
        let videos = try await documents(of: [post])
        return .json { json in
            for video in videos { Product.write(video, to: &json) }
        }
    }
}

/// The query of a list of videos.
struct VideoQuestion {
    static let defaultLimit = 20

    let query: PostQuery
    let limit: Int
    let cursor: SearchCursor?

    /// Reads the known parameters; others are ignored.
    init(_ query: inout QueryParameters, aliases: [String: String], carryingAnyOf attributes: [String]) throws {
        limit = try ProductPage.limit(&query, default: Self.defaultLimit)
        cursor = try query.filled("startAfter").map {
            guard let cursor = SearchCursor($0) else { throw ProductPage.invalidCursor("startAfter") }
            return cursor
        }
        let words = query.filled("q")
        var filter = PostFilter(carriesAnyOf: attributes)
        filter.category = query.filled("category")
        filter.algorithms = try query.names("tags")
        for name in AttributeVocabulary.posts.keys.sorted() where name != "duration" && aliases[name] == nil {
            if let text = query.filled(name) { try filter.add(name, text) }
        }
        for (alias, meaning) in aliases {
            guard let text = query.filled(alias) else { continue }
            if meaning == "category" { filter.category = text } else { try filter.add(meaning, text) }
        }
        if let text = query.filled("duration") {
            filter.duration = DurationClass(rawValue: text.lowercased())
            if filter.duration == nil { try filter.add("duration", text) }
        }
        self.query = PostQuery(words: words, filter: filter, sort: try query.sort())
        guard TextRules.isWithin(SocialGraphLimits.searchLength, words ?? "") else {
            throw Problem(
                .invalidParameter, "\"q\" may have at most \(SocialGraphLimits.searchLength) characters.", field: "q")
        }
    }
}

extension QueryParameters {
    /// Returns a parameter's value; nil if it is absent or empty, as in an unfilled search form.
    fileprivate mutating func filled(_ name: String) -> String? {
        string(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    fileprivate mutating func sort() throws -> PostSort? {
        guard let text = filled("sort") else { return nil }
        switch text {
        case "recent": return .recency
        case "popular": return .popularity
        case "relevance": return .relevance
        default:
            throw Problem(
                .invalidParameter, "\"sort\" must be one of \"recent\", \"popular\", \"relevance\".", field: "sort")
        }
    }
}

extension PostFilter {
    /// Adds a condition in the format of the products: for numbers `15..30`, `30..`, and for a cooking time `15` for at
    /// most 15.
    fileprivate mutating func add(_ name: String, _ text: String) throws {
        guard let condition = TextRules.condition(name, text) else {
            throw Problem(.invalidParameter, "\"\(name)\" must be \(TextRules.conditionRule).", field: name)
        }
        if name == "cookingTime", let range = condition.range, range.lowerBound == range.upperBound {
            attributes.append(AttributeCondition(name: name, range: -Double.infinity...range.upperBound))
        } else {
            attributes.append(condition)
        }
    }
}

extension HTTPField.Name {
    /// The header with the cursor of the next page, for a list without an envelope.
    static let nextCursor: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Next-Cursor") else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }()
}
