import Algorithms
import Database
import SocialGraph
import Synchronization

/// The codes of all embeddings in memory. It proposes candidates, whose similarity is then worked out from the stored
/// vectors: so what is found is right however old a code is, and only what was acknowledged before a search began has
/// to be in the index.
///
/// It is made at each start, in the background, and brought up to date by the commits: these note which posts have
/// changed, and the next search, or ``run()``, reads them.
package final class SimilarIndex: Sendable {
    /// Segments that are swept before others get their turn.
    static let segmentsAtOnce = 32
    /// Embeddings that are read in one go.
    static let embeddingsAtOnce = 512
    /// Period at which embeddings that have changed are read where nobody searches.
    static let updateInterval = Duration.milliseconds(500)

    private struct State {
        var isLoaded = false
        /// Nil as long as there is no embedding that says of which dimension.
        var table: VectorTable?
        /// Posts whose embeddings have changed since they were read.
        var changed: Set<PostID> = []
        /// Changes noted, and how many of them the table has.
        var noted: UInt64 = 0
        var applied: UInt64 = 0
        var updating: Task<Void, any Error>?
    }

    /// What a search goes on with.
    struct Candidates: Sendable {
        /// In no order.
        let posts: [PostID]
        /// Whether there are no others, however many had been asked for.
        let isEverything: Bool
    }

    private let graph: GraphStore
    private let state = Mutex(State())

    package init(graph: GraphStore) { self.graph = graph }

    /// Notes what commits have changed, of this process or another. To be called before they are acknowledged.
    package func observe(_ changes: [GraphChange]) {
        let known = changes.map(Self.change)
        guard known.contains(where: { $0 != .none }) else { return }
        state.withLock { state in
            for change in known {
                switch change {
                case .none: break
                case .post(let post): state.changed.insert(post)
                // All is read again.
                case .anything: state.isLoaded = false
                }
            }
            state.noted += 1
        }
    }

    /// Effect of a change on the index.
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

    /// Whether everything has been read.
    package var isReady: Bool { state.withLock { $0.isLoaded } }

    /// Posts in the index.
    package var count: Int { state.withLock { $0.table?.count ?? 0 } }

    /// Reads everything, then keeps up with the changes until the task is cancelled.
    package func run() async throws {
        while !Task.isCancelled {
            if !isReady { try await load() }
            try await catchUp()
            try await Task.sleep(for: Self.updateInterval)
        }
    }

    /// Reads everything. Until it has returned, there are no candidates.
    package func load() async throws {
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
        state.withLock { ($0.table, $0.isLoaded) = (loaded, true) }
        try await catchUp()
    }

    /// Returns when everything that was noted before the call is in the index. Nothing to do until it has been loaded.
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

    /// Reads what has changed. One at a time: what was read first must not be written last.
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
                // Worked out before the lock is taken, for which commits may be waiting.
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

    /// That of the table; of a new one where there is none, or the dimension has changed while nothing was stored.
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

    /// Posts among which are the `count` nearest to `embedding` whose similarity is not above `ceiling`; nil until
    /// everything has been read. Only posts of `wanted`, where that is not nil. Others get their turn every few
    /// thousand posts.
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
