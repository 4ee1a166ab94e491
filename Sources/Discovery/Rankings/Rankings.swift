import Database
import SocialGraph
import Synchronization

/// Stored rankings of posts. A ranking is made when somebody asks and the latest is older than
/// ``DiscoveryLimits/freshness``, and kept for ``DiscoveryLimits/rankingRetention``, across restarts; a cursor names
/// it, so that on the pages of one walk nothing stands twice and nothing is left out, though ranks move.
package final class Rankings: Sendable {
    /// Rankings kept in memory beside those in the database.
    static let rankingsInMemory = 32

    private let graph: GraphStore
    private let clock: @Sendable () -> Int64
    private let store: StoredRankings
    private let latest: [RankingName: FreshValue<Ranking>]
    private let known = Mutex<[Int64: Ranking]>([:])

    /// `clock`: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, trends: Trends, clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        self.graph = graph
        self.clock = clock
        let store = StoredRankings(graph: graph, clock: clock)
        self.store = store
        latest = Dictionary(
            uniqueKeysWithValues: RankingName.allCases.map { name in
                let ranking = FreshValue(freshness: DiscoveryLimits.freshness, clock: clock) {
                    try await Self.make(name, store, trends, now: clock())
                }
                return (name, ranking)
            })
    }

    /// The ranking as of now, give or take ``DiscoveryLimits/freshness``.
    package func current(_ name: RankingName) async throws -> Ranking {
        guard let latest = latest[name] else { preconditionFailure("there is a ranking for each name") }
        return remember(try await latest.value())
    }

    /// The ranking with that id. Throws ``GraphError/rankingExpired`` if it is not kept any more.
    package func ranking(_ id: Int64) async throws -> Ranking {
        var found = known.withLock { $0[id] }
        if found == nil { found = try await graph.rankings.ranking(id) }
        guard let found, clock() - found.createdAt <= DiscoveryLimits.rankingRetention else {
            throw GraphError.rankingExpired
        }
        return remember(found)
    }

    /// A page of the ranking that `cursor` names, without one of the current one, as
    /// ``Ranking/page(from:limit:show:)`` makes it. Nil if the cursor is of another ranking than `name`, or lies beyond
    /// its end. Throws ``GraphError/rankingExpired``.
    package func page<Item: Sendable>(
        of name: RankingName, cursor: RankingCursor?, limit: Int, show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<Item>? {
        guard let cursor else { return try await current(name).page(from: 0, limit: limit, show: show) }
        return try await page(ofStored: name.text, cursor: cursor, limit: limit, show: show)
    }

    /// The same of a ranking that was stored under `name`, which is never made anew.
    func page<Item: Sendable>(
        ofStored name: String, cursor: RankingCursor, limit: Int, show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<Item>? {
        let ranking = try await ranking(cursor.ranking)
        guard ranking.name == name, cursor.offset <= ranking.posts.count else { return nil }
        return try await ranking.page(from: cursor.offset, limit: limit, show: show)
    }

    /// Keeps an order of posts under `name`, in memory alone where the database cannot be written.
    func keep(_ posts: [PostID], as name: String) async throws -> Ranking {
        remember(try await store.store(posts, as: name))
    }

    /// Returns when nothing is being worked out.
    func settle() async {
        for ranking in latest.values { await ranking.settle() }
    }

    private func remember(_ ranking: Ranking) -> Ranking {
        known.withLock { known in
            known[ranking.id] = ranking
            if known.count > Self.rankingsInMemory, let oldest = known.keys.min() { known[oldest] = nil }
        }
        return ranking
    }

    private static func make(
        _ name: RankingName, _ store: StoredRankings, _ trends: Trends, now: Int64
    ) async throws -> Ranking {
        let graph = store.graph
        // Another start of the server, or another process, may have made one just now.
        if let stored = try await graph.rankings.latestRanking(name.text),
            (0..<DiscoveryLimits.freshness).contains(now - stored.createdAt)
        {
            return stored
        }
        let posts =
            switch name {
            case .trending(let window): try await Trending.rank(graph, window, now: now)
            case .business(let window): try await trends.rankedPosts(window)
            }
        return try await store.store(posts, as: name.text)
    }
}
