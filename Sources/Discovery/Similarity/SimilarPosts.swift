import Algorithms
import Database
import SocialGraph

/// Posts whose embeddings are near to a given one. What is found is what a comparison with every stored vector would
/// find, nearest first; the index only spares reading most of them.
package struct SimilarPosts: Sendable {
    /// Similar posts that are looked at in one go, and posts of a filter that are compared one by one.
    static let candidatesAtOnce = 4_096
    /// Times that the index is asked where what it proposes has changed before it was read. Then it is done without.
    static let attempts = 8

    private let graph: GraphStore
    private let index: SimilarIndex

    package init(graph: GraphStore, index: SimilarIndex) {
        self.graph = graph
        self.index = index
    }

    /// What is searched for.
    package struct Question: Sendable {
        package var embedding: Embedding
        /// A post that is left out: the one whose embedding it is.
        package var except: PostID?
        /// Conditions of every wanted post, as far as indexes know them; nil: none. If few posts meet them, only those
        /// are looked at.
        package var conditions: FeedConditions?
        /// No post is wanted.
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

    /// Posts like `post`, itself left out, whoever may see them: at most `limit`, nearest first. Throws
    /// ``GraphError/embeddingNotFound``.
    package func neighbours(of post: PostID, limit: Int) async throws -> [SimilarPost] {
        guard let embedding = try await graph.embeddings.embedding(of: post) else { throw GraphError.embeddingNotFound }
        return try await nearest(Question(embedding: embedding, except: post), after: nil, limit: limit)
    }

    /// Up to `limit` items below `cursor`, of those posts that `show` gives an item for: it is handed posts, nearest
    /// first, and answers each in its place, nil where it is not to be shown. A page is full as long as there are posts
    /// that are shown. Throws ``GraphError/dimensionMismatch(expected:given:)``.
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
            // A condition that few posts meet is met by looking at more of them at a time.
            count = min(count * 4, Self.candidatesAtOnce)
        }
    }

    /// The nearest posts after `cursor`, nearest first: `limit` of them, or all that there are.
    package func nearest(
        _ question: Question, after cursor: SimilarCursor?, limit: Int, among wanted: Set<PostID>? = nil
    ) async throws -> [SimilarPost] {
        if let wanted, wanted.count <= Self.candidatesAtOnce {
            return try await nearest(question, after: cursor, limit: limit, of: Array(wanted))
        }
        for _ in 0..<Self.attempts {
            // One more, since the post that is left out may be among them.
            let candidates = try await index.candidates(
                near: question.embedding, count: limit + 1, ceiling: cursor?.last.similarity, among: wanted)
            guard let candidates else { return try await nearestOfAll(question, after: cursor, limit: limit) }
            let found = try await nearest(question, after: cursor, limit: limit, of: candidates.posts)
            // Fewer than there should be: some of them were changed or deleted since the index was asked.
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

    /// The same from every stored vector, on as many snapshots as it takes to read them.
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

    /// The posts that meet the question's conditions; nil where there are none, or too many posts to be listed.
    private func wanted(_ question: Question) async throws -> Set<PostID>? {
        if question.isEmpty { return [] }
        guard let conditions = question.conditions else { return nil }
        let run = try await graph.feeds.run(
            of: conditions, below: .end, limit: Self.candidatesAtOnce, budget: SocialGraphLimits.examinedRows)
        return run.end == .beginning ? Set(run.entries.map(\.post)) : nil
    }
}

/// The nearest posts of those that were offered, with their exact similarity.
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
