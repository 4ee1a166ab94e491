import Algorithms
import Database
import SocialGraph

/// Posts with embeddings near a given one. The result equals a comparison with every stored vector, nearest first; the
/// index only saves reading most of them.
package struct SimilarPosts: Sendable {
    /// Number of similar posts examined in one step, and the largest number of posts of a filter compared one by one.
    static let candidatesAtOnce = 4_096
    /// Number of times the index is asked when its candidates have changed before they are read. After that, the search
    /// runs without it.
    static let attempts = 8

    private let graph: GraphStore
    private let index: SimilarIndex

    package init(graph: GraphStore, index: SimilarIndex) {
        self.graph = graph
        self.index = index
    }

    /// The request of a search.
    package struct Question: Sendable {
        package var embedding: Embedding
        /// A post to leave out: the owner of the given embedding.
        package var except: PostID?
        /// Conditions on every wanted post, as far as indexes cover them; nil for none. If few posts meet them, only
        /// those are examined.
        package var conditions: FeedConditions?
        /// True if no post is wanted.
        package var isEmpty = false

        package init(
            embedding: Embedding, except: PostID? = nil, conditions: FeedConditions? = nil, isEmpty: Bool = false
        ) {
            self.embedding = embedding
            self.except = except
            self.conditions = conditions
            self.isEmpty = isEmpty
        }
    }

    /// Returns at most `limit` posts similar to `post`, without `post` itself, nearest first. Visibility is not
    /// checked. Throws ``GraphError/embeddingNotFound``.
    package func neighbours(of post: PostID, limit: Int) async throws -> [SimilarPost] {
        guard let embedding = try await graph.embeddings.embedding(of: post) else { throw GraphError.embeddingNotFound }
        return try await nearest(Question(embedding: embedding, except: post), after: nil, limit: limit)
    }

    /// Returns up to `limit` items below `cursor`, for the posts that `show` gives an item for. `show` gets posts,
    /// nearest first, and returns an array of the same order, with nil for a hidden post. A page is full as long as
    /// enough posts are shown. Throws ``GraphError/dimensionMismatch(expected:given:)``.
    package func page<Item: Sendable>(
        of question: Question, after cursor: SimilarCursor?, limit: Int,
        show: ([PostID]) async throws -> [Item?]
    ) async throws -> SimilarPage<Item> {
        if let expected = try await graph.embeddings.embeddingDimension(), expected != question.embedding.dimension {
            throw GraphError.dimensionMismatch(expected: expected, given: question.embedding.dimension)
        }
        let wanted = try await wanted(question)
        var entries: [SimilarPage<Item>.Entry] = []
        var (place, next) = (cursor, cursor)
        var (count, examined) = (limit + 1, 0)
        while true {
            let found = try await nearest(question, after: place, limit: count, among: wanted)
            for (similar, item) in zip(found, try await show(found.map(\.post))) {
                guard let item else { continue }
                if entries.count == limit { return SimilarPage(entries: entries, next: next) }
                entries.append(.init(item: item, similarity: similar.similarity))
                next = SimilarCursor(last: similar)
            }
            guard found.count == count, let last = found.last else { return SimilarPage(entries: entries, next: nil) }
            place = SimilarCursor(last: last)
            examined += found.count
            if examined >= SocialGraphLimits.examinedRows { return SimilarPage(entries: entries, next: place) }
            try ClientPresence.check()
            // Under a rare condition, later steps examine more posts at a time.
            count = min(count * 4, Self.candidatesAtOnce)
        }
    }

    /// Returns the nearest posts after `cursor`, nearest first: `limit` of them, or all that exist.
    package func nearest(
        _ question: Question, after cursor: SimilarCursor?, limit: Int, among wanted: Set<PostID>? = nil
    ) async throws -> [SimilarPost] {
        if let wanted, wanted.count <= Self.candidatesAtOnce {
            return try await nearest(question, after: cursor, limit: limit, of: Array(wanted))
        }
        for _ in 0..<Self.attempts {
            // One more, because the excluded post may be among them.
            let candidates = try await index.candidates(
                near: question.embedding, count: limit + 1, ceiling: cursor?.last.similarity, among: wanted)
            guard let candidates else { return try await nearestOfAll(question, after: cursor, limit: limit) }
            let found = try await nearest(question, after: cursor, limit: limit, of: candidates.posts)
            // Too few: some candidates were changed or deleted since the index was asked.
            if found.count == limit || candidates.isEverything { return found }
        }
        return try await nearestOfAll(question, after: cursor, limit: limit)
    }

    private func nearest(
        _ question: Question, after cursor: SimilarCursor?, limit: Int, of candidates: [PostID]
    ) async throws -> [SimilarPost] {
        var nearest = NearestPosts(question, after: cursor, limit: limit)
        for part in candidates.chunks(ofCount: SimilarIndex.embeddingsAtOnce) {
            nearest = try await graph.embeddings.foldEmbeddings(of: Array(part), into: nearest) {
                nearest, post, embedding in
                if let embedding { nearest.offer(post, embedding) }
            }
        }
        return nearest.posts
    }

    /// Returns the same from every stored vector, read on as many snapshots as needed.
    private func nearestOfAll(
        _ question: Question, after cursor: SimilarCursor?, limit: Int
    ) async throws -> [SimilarPost] {
        var nearest = NearestPosts(question, after: cursor, limit: limit)
        var place = PostID(rawValue: 0)
        while true {
            let rows = try await graph.embeddings.embeddings(above: place, limit: SimilarIndex.embeddingsAtOnce)
            for row in rows { nearest.offer(row.post, row.embedding) }
            guard rows.count == SimilarIndex.embeddingsAtOnce, let last = rows.last else { return nearest.posts }
            place = last.post
            try Task.checkCancellation()
        }
    }

    /// Returns the posts that meet the question's conditions; nil without conditions, or if too many posts meet them.
    private func wanted(_ question: Question) async throws -> Set<PostID>? {
        if question.isEmpty { return [] }
        guard let conditions = question.conditions else { return nil }
        let slice = try await graph.feeds.slice(
            of: conditions, below: .end, limit: Self.candidatesAtOnce, budget: SocialGraphLimits.examinedRows)
        return slice.end == .beginning ? Set(slice.entries.map(\.post)) : nil
    }
}

/// The nearest of the offered posts, with exact similarity.
private struct NearestPosts: Sendable {
    private let question: SimilarPosts.Question
    private let cursor: SimilarCursor?
    private let limit: Int
    private var found: [SimilarPost] = []

    init(_ question: SimilarPosts.Question, after cursor: SimilarCursor?, limit: Int) {
        self.question = question
        self.cursor = cursor
        self.limit = limit
    }

    var posts: [SimilarPost] { Array(found.sorted().prefix(limit)) }

    mutating func offer(_ post: PostID, _ embedding: Embedding) {
        guard post != question.except, embedding.dimension == question.embedding.dimension else { return }
        let similar = SimilarPost(
            post: post, similarity: DotProduct.of(question.embedding.components, embedding.components))
        if let cursor, similar <= cursor.last { return }
        found.append(similar)
        if found.count >= 4 * limit { found = posts }
    }
}
