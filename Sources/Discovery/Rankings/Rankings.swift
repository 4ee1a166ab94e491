import Database
import SocialGraph
import Synchronization

/// Stored rankings of posts. A ranking is made on request if the latest is older than ``DiscoveryLimits/freshness``. It
/// is kept for ``DiscoveryLimits/rankingRetention``, across restarts. A cursor names its ranking, so a walk over the
/// pages neither repeats nor misses a post while ranks move.
package final class Rankings: Sendable {
    /// Number of rankings cached in memory besides those in the database.
    static let rankingsInMemory = 32

    private let graph: GraphStore
    private let clock: @Sendable () -> Int64
    private let store: StoredRankings
    private let latest: [RankingName: CachedValue<Ranking>]
    private let known = Mutex<[Int64: Ranking]>([:])

    /// `clock`: milliseconds since 1970, the same as the database's clock.
    package init(
        graph: GraphStore, trends: Trends, clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        self.graph = graph
        self.clock = clock
        let store = StoredRankings(graph: graph, clock: clock)
        self.store = store
        latest = Dictionary(
            uniqueKeysWithValues: RankingName.allCases.map { name in
                let ranking = CachedValue(freshness: DiscoveryLimits.freshness, clock: clock) {
                    try await Self.make(name, store, trends, now: clock())
                }
                return (name, ranking)
            })
    }

    /// Returns a ranking no older than about ``DiscoveryLimits/freshness``.
    package func current(_ name: RankingName) async throws -> Ranking {
        guard let latest = latest[name] else { preconditionFailure("there is a ranking for each name") }
        return remember(try await latest.value())
    }

    /// Returns the ranking with the id. Throws ``GraphError/rankingExpired`` if it is no longer stored.
    package func ranking(_ id: Int64) async throws -> Ranking {
        var found = known.withLock { $0[id] }
        if found == nil { found = try await graph.rankings.ranking(id) }
        guard let found, clock() - found.createdAt <= DiscoveryLimits.rankingRetention else {
            throw GraphError.rankingExpired
        }
        return remember(found)
    }

    /// Returns a page of the ranking that `cursor` names, or of the current ranking without a cursor, as
    /// ``Ranking/page(from:limit:show:)`` makes it. Nil if the cursor belongs to a ranking other than `name` or lies
    /// beyond its end. Throws ``GraphError/rankingExpired``.
    package func page<Item: Sendable>(
        of name: RankingName, cursor: RankingCursor?, limit: Int, show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<Item>? {
        guard let cursor else { return try await current(name).page(from: 0, limit: limit, show: show) }
        return try await page(ofStored: name.text, cursor: cursor, limit: limit, show: show)
    }

    /// Returns a page of the ranking stored under `name`, without ever making a new ranking.
    func page<Item: Sendable>(
        ofStored name: String, cursor: RankingCursor, limit: Int, show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<Item>? {
        let ranking = try await ranking(cursor.ranking)
        guard ranking.name == name, cursor.offset <= ranking.posts.count else { return nil }
        return try await ranking.page(from: cursor.offset, limit: limit, show: show)
    }

    /// Stores an order of posts under `name`; in memory only if the database cannot be written.
    func keep(_ posts: [PostID], as name: String) async throws -> Ranking {
        remember(try await store.store(posts, as: name))
    }

    /// Returns when no ranking is being computed.
    func waitForRefresh() async {
        for ranking in latest.values { await ranking.waitForRefresh() }
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
        // An earlier start of the server, or another process, may have stored a fresh one.
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
