import Database
import SocialGraph
import Synchronization

/// Stores rankings. If the database cannot take a ranking, as on a full disk, the ranking is still made: its id lies
/// above all ids of the database, and only this process knows it.
struct StoredRankings: Sendable {
    /// Ids of rankings that are not stored: the end of the id range, beyond any clock.
    final class UnstoredIDs: Sendable {
        private static let count: Int64 = 1 << 20
        private let next = Mutex<Int64>(0)

        func take() -> Int64 {
            next.withLock { next in
                next = (next + 1) % Self.count
                return IDSequence.maximum - Self.count + next
            }
        }
    }

    let graph: GraphStore
    /// Milliseconds since 1970.
    let clock: @Sendable () -> Int64
    private let ids = UnstoredIDs()

    init(graph: GraphStore, clock: @escaping @Sendable () -> Int64) {
        self.graph = graph
        self.clock = clock
    }

    func store(_ posts: [PostID], as name: String) async throws -> Ranking {
        do {
            return try await graph.rankings.storeRanking(posts, as: name)
        } catch let error as DatabaseError where error.isOfStorage {
            let kept = Array(posts.prefix(DiscoveryLimits.rankingLength))
            return Ranking(id: ids.take(), name: name, createdAt: clock(), posts: kept)
        }
    }
}
