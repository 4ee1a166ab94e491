import Algorithms
import Database
import SocialGraph
import Synchronization

/// The codes of all embeddings, in memory. The index proposes candidates, and the search computes their similarity from
/// the stored vectors. Results are therefore right even with old codes, and the index only has to contain what was
/// acknowledged before a search began.
///
/// The index is built in the background at each start and updated by commits: these note the changed posts, and the
/// next search, or ``run()``, reads them.
package final class SimilarIndex: Sendable {
    /// Number of segments swept before other tasks get a turn.
    static let segmentsAtOnce = 32
    /// Number of embeddings per read.
    static let embeddingsAtOnce = 512
    /// Period at which changed embeddings are read without a search.
    static let updateInterval = Duration.milliseconds(500)

    private struct State {
        var isLoaded = false
        /// Number of gaps in the log. A load during which it grows may have missed changes.
        var gaps: UInt64 = 0
        /// Nil until an embedding determines the dimension.
        var table: VectorTable?
        /// Posts whose embeddings have changed since they were last read.
        var changed: Set<PostID> = []
        /// Number of changes noted; ``applied`` counts those that the table contains.
        var noted: UInt64 = 0
        var applied: UInt64 = 0
        var updating: Task<Void, any Error>?
    }

    /// The candidates that a search continues with.
    struct Candidates: Sendable {
        /// Posts, in no particular order.
        let posts: [PostID]
        /// True if no other posts exist, whatever the requested number.
        let isEverything: Bool
    }

    private let graph: GraphStore
    private let state = Mutex(State())

    package init(graph: GraphStore) { self.graph = graph }

    /// Notes the changes of commits by this process or another. Must be called before the commits are acknowledged.
    package func observe(_ changes: [GraphChange]) {
        let known = changes.map(Self.change)
        guard known.contains(where: { $0 != .none }) else { return }
        state.withLock { state in
            for change in known {
                switch change {
                case .none: break
                case .post(let post): state.changed.insert(post)
                // Everything is read again.
                case .anything:
                    state.isLoaded = false
                    state.gaps += 1
                }
            }
            state.noted += 1
        }
    }

    /// The effect of a change on the index.
    private enum Change: Equatable {
        case none
        case post(PostID)
        case anything
    }

    private static func change(_ change: GraphChange) -> Change {
        switch change {
        case .embeddingChanged(let post, _), .postDeleted(let post, _): .post(post)
        case .unknown: .anything
        default: .none
        }
    }

    /// True once all embeddings have been read.
    package var isReady: Bool { state.withLock { $0.isLoaded } }

    /// Number of posts in the index.
    package var count: Int { state.withLock { $0.table?.count ?? 0 } }

    /// Reads all embeddings, then applies changes until the task is cancelled.
    package func run() async throws {
        while !Task.isCancelled {
            if !isReady { try await load() }
            try await catchUp()
            try await Task.sleep(for: Self.updateInterval)
        }
    }

    /// Reads all embeddings. There are no candidates until it returns, and none after it if there was a gap in the log
    /// meanwhile: then the index is not ready, and must be loaded again.
    package func load() async throws {
        let gaps = state.withLock { $0.gaps }
        var table: VectorTable?
        var cursor = PostID(rawValue: 0)
        while true {
            let limit = Self.embeddingsAtOnce
            let rows = try await graph.embeddings.embeddings(above: cursor, limit: limit)
            for row in rows {
                if table == nil { table = VectorTable(dimension: row.embedding.dimension) }
                let code = table?.coder.code(row.embedding)
                table?.set(row.post, code)
                await Task.yield()
            }
            guard rows.count == limit, let last = rows.last else { break }
            cursor = last.post
        }
        let loaded = table
        state.withLock { ($0.table, $0.isLoaded) = (loaded, $0.gaps == gaps) }
        try await catchUp()
    }

    /// Returns when all changes noted before the call are in the index. Returns at once before the index is loaded.
    func catchUp() async throws {
        let target = state.withLock { $0.noted }
        while true {
            let updating: Task<Void, any Error>? = state.withLock { state in
                guard state.isLoaded, state.applied < target else { return nil }
                let updating = state.updating ?? Task { try await self.update() }
                state.updating = updating
                return updating
            }
            guard let updating else { return }
            try await updating.value
        }
    }

    /// Reads the changed embeddings. Updates never overlap, so an older read cannot overwrite a newer one.
    private func update() async throws {
        let (changed, noted) = state.withLock { state in
            defer { state.changed = [] }
            return (state.changed, state.noted)
        }
        do {
            for part in Array(changed).chunks(ofCount: Self.embeddingsAtOnce) {
                let rows = try await graph.embeddings.foldEmbeddings(of: Array(part), into: [(PostID, Embedding?)]()) {
                    $0.append(($1, $2))
                }
                // Computed before taking the lock, which commits may be waiting for.
                let codes = rows.map { post, embedding in (post, embedding.flatMap { coder(for: $0).code($0) }) }
                state.withLock { state in
                    for (post, code) in codes { state.table?.set(post, code) }
                }
            }
            state.withLock { ($0.applied, $0.updating) = (noted, nil) }
        } catch {
            state.withLock { state in
                state.changed.formUnion(changed)
                state.updating = nil
            }
            throw error
        }
    }

    /// Returns the coder of the table; a new one if there is no table, or if the dimension has changed while nothing
    /// was stored.
    private func coder(for embedding: Embedding) -> VectorCoder {
        state.withLock { state in
            if let table = state.table, table.count > 0 || table.coder.dimension == embedding.dimension {
                return table.coder
            }
            let table = VectorTable(dimension: embedding.dimension)
            state.table = table
            return table.coder
        }
    }

    /// Returns posts that include the `count` nearest to `embedding` with a similarity not above `ceiling`; nil until
    /// all embeddings have been read. A non-nil `wanted` restricts the posts. Other tasks get a turn every few thousand
    /// posts.
    func candidates(
        near embedding: Embedding, count: Int, ceiling: Float?, among wanted: Set<PostID>?
    ) async throws -> Candidates? {
        try await catchUp()
        let (isLoaded, table) = state.withLock { ($0.isLoaded, $0.table) }
        guard isLoaded else { return nil }
        guard let table, table.coder.dimension == embedding.dimension else {
            return Candidates(posts: [], isEverything: true)
        }
        let query = table.coder.query(embedding)
        var nearest = NearestCandidates(count: count, ceiling: ceiling, headShare: query.headShare)
        for (index, segment) in table.segments.enumerated() {
            segment.sweep(query, among: wanted, into: &nearest)
            guard (index + 1).isMultiple(of: Self.segmentsAtOnce) else { continue }
            await Task.yield()
            try Task.checkCancellation()
        }
        return Candidates(posts: nearest.posts, isEverything: nearest.isEverything)
    }
}
