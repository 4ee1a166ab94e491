import Importing
import SocialGraph
import Testing

@testable import Discovery
@testable import evaluations

/// Random acts on embeddings, and a plain list of the stored vectors beside the graph.
struct SimilarHistory {
    let fixture: DiscoveryFixture
    let index: SimilarIndex
    let similar: SimilarPosts
    let author: UserID
    private(set) var stored: [PostID: Embedding] = [:]
    private var posts: [PostID] = []
    private var source: SyntheticVectors
    private var draws: RandomDraws

    init(_ fixture: DiscoveryFixture, dimension: Int, seed: UInt64) async throws {
        self.fixture = fixture
        author = try await fixture.user()
        (index, similar) = Self.searching(fixture)
        source = SyntheticVectors(dimension: dimension, clusters: 4, seed: seed)
        draws = RandomDraws(seed: seed)
        try await fixture.graph.embeddings.setEmbeddingDimension(dimension)
    }

    private static func searching(_ fixture: DiscoveryFixture) -> (SimilarIndex, SimilarPosts) {
        let index = SimilarIndex(graph: fixture.graph)
        fixture.database.observeCommits { index.observe($0.changes) }
        return (index, SimilarPosts(graph: fixture.graph, index: index))
    }

    /// The state after a restart: another index over the stored vectors.
    func restarted() async throws -> SimilarPosts {
        let (index, similar) = Self.searching(fixture)
        try await index.load()
        return similar
    }

    mutating func query() -> Embedding { source.next() }

    mutating func number(below limit: Int) -> Int { min(Int(draws.uniform() * Double(limit)), limit - 1) }

    /// Makes `count` posts with embeddings. Every tenth has the embedding of the one before: a tie.
    mutating func publish(_ count: Int) async throws {
        let new = try await fixture.graph.bulkPosts.publish(
            batch: (0..<count).map { _ in
                NewPost(author: author, caption: "c", mediaURL: "https://example.org/1")
            })
        var rows: [PostEmbedding] = []
        for (number, post) in new.enumerated() {
            let isTie = number % 10 == 9
            let embedding = isTie ? rows[number - 1].embedding : source.next()
            rows.append(PostEmbedding(post: post, embedding: embedding))
            stored[post] = embedding
        }
        posts += new
        try await fixture.graph.embeddings.storeEmbeddings(rows, by: author)
    }

    mutating func act() async throws {
        switch number(below: 6) {
        case 0: try await publish(1 + number(below: 3))
        case 1, 2:
            let post = posts[number(below: posts.count)]
            let embedding = source.next()
            try await fixture.graph.embeddings.storeEmbedding(embedding, of: post, by: author)
            stored[post] = embedding
        case 3, 4:
            let post = posts[number(below: posts.count)]
            try await fixture.graph.embeddings.deleteEmbedding(of: post, by: author)
            stored[post] = nil
        default:
            guard posts.count > 1 else { return }
            let post = posts.remove(at: number(below: posts.count))
            try await fixture.graph.posts.deletePost(post, by: author)
            stored[post] = nil
        }
    }

    /// The right result of a search, from a comparison with every vector.
    func truth(_ query: Embedding, where isWanted: (PostID) -> Bool = { _ in true }) -> [SimilarPost] {
        stored.filter { isWanted($0.key) }
            .map { post, embedding in
                SimilarPost(post: post, similarity: DotProduct.of(query.components, embedding.components))
            }
            .sorted { ($0.similarity, $0.post) > ($1.similarity, $1.post) }
    }
}

extension SimilarPosts {
    /// Reads all visible results, page by page. Throws if a page breaks the rules of paging.
    func walk(
        _ question: Question, limit: Int, where isShown: @Sendable (PostID) -> Bool = { _ in true }
    ) async throws -> [PostID] {
        var found: [PostID] = []
        var cursor: SimilarCursor?
        repeat {
            let page = try await page(of: question, after: cursor, limit: limit) { posts in
                posts.map { isShown($0) ? $0 : nil }
            }
            try #require(page.entries.count == limit || page.next == nil && page.entries.count < limit + 1)
            found += page.entries.map(\.item)
            cursor = try page.next.map { try #require(SimilarCursor($0.text)) }
        } while cursor != nil
        return found
    }
}
