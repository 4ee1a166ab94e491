import Database
import Discovery
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Posts similar to a given one.
struct SimilarRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let similar: SimilarPosts
    let visibility: PostVisibilityCheck

    /// `POST /v1/search/similar` {vector | postId, limit, cursor, category, algorithms, attributes, excludeAuthor} →
    /// {items: [post with similarity], nextCursor}: everybody's public posts, the most similar first
    @Sendable func search(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        let body = try SimilarRequest(try await request.bodyBytes())
        let embedding = try await embedding(body.target, caller)
        let filter = try await timelines.filters.filter(
            category: body.category, algorithms: body.algorithms, attributes: body.conditions, of: caller
        ).filter
        let question = SimilarPosts.Question(
            embedding: embedding, except: body.target.post,
            conditions: filter.matchesNothing ? nil : filter.conditions(), isEmpty: filter.matchesNothing)
        let page = try await similar.page(of: question, after: body.cursor, limit: body.limit) { posts in
            let items = try await timelines.lists.ranked(posts, for: caller, filter: filter)
            guard let excluded = body.excludedAuthor else { return items }
            return items.map { $0?.post.authors.contains(excluded) == true ? nil : $0 }
        }
        let details = try await timelines.details.details(of: page.entries.map(\.item.post), for: caller)
        return .json(reservingCapacity: page.entries.map(\.item).encodedSize) { $0.similar(page, details) }
    }

    private func embedding(_ target: SimilarRequest.Target, _ caller: UserID) async throws -> Embedding {
        switch target {
        case .vector(let embedding): return embedding
        case .post(let post):
            try await visibility.require(post, for: caller)
            guard let embedding = try await graph.embeddings.embedding(of: post) else {
                throw GraphError.embeddingNotFound
            }
            return embedding
        }
    }
}

/// The body of `POST /v1/search/similar`.
struct SimilarRequest {
    enum Target {
        case vector(Embedding)
        case post(PostID)

        var post: PostID? {
            guard case .post(let post) = self else { return nil }
            return post
        }
    }

    let target: Target
    let limit: Int
    let cursor: SimilarCursor?
    let category: String?
    let algorithms: AlgorithmChoice?
    let conditions: [AttributeCondition]
    let excludedAuthor: UserID?

    init(_ bytes: [UInt8]) throws {
        var body = try StrictObject(bytes)
        let vector = try body.optionalEmbedding("vector")
        let post = try body.optionalID("postId").map(PostID.init(rawValue:))
        let limits = Int64(RequestLimits.pageLimit.lowerBound)...Int64(RequestLimits.pageLimit.upperBound)
        limit = try body.optionalInteger("limit", in: limits).map(Int.init) ?? RequestLimits.defaultPageLimit
        cursor = try body.optionalAnyString("cursor").map { text in
            guard let cursor = SimilarCursor(text) else {
                throw Problem(
                    .invalidCursor, "\"cursor\" must be the nextCursor of an earlier page.", field: "cursor")
            }
            return cursor
        }
        category = try body.optionalString("category", maxLength: SocialGraphLimits.categoryLength)
        algorithms = try body.optionalAlgorithms("algorithms")
        conditions = try body.conditions("attributes")
        excludedAuthor = try body.optionalID("excludeAuthor").map(UserID.init(rawValue:))
        try body.end()
        switch (vector, post) {
        case (let vector?, nil): target = .vector(vector)
        case (nil, let post?): target = .post(post)
        case (nil, nil):
            throw Problem(.missingField, "Either \"vector\" or \"postId\" is required.", field: "vector")
        default: throw Problem(.invalidValue, "Give \"vector\" or \"postId\", not both.", field: "postId")
        }
    }
}
