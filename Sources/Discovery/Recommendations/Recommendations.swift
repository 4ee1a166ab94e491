import Database
import SocialGraph
import Synchronization

/// Recommendations for users. They come from the user's recent acts, the acts of users with similar acts, the followed
/// users and the preferences; for new users, from popular and new posts. Lists are made on request. A user's act counts
/// from the next list on, whatever the state of ``NeighbourIndex``. Without a new act, a user's list is kept for
/// ``DiscoveryLimits/recommendationFreshness``.
package final class Recommendations: Sendable {
    /// Number of fresh lists cached in memory.
    static let listsInMemory = 1_000

    /// Loads posts in order; nil for a post that the user may not see in a feed of everybody's posts. Visibility is
    /// decided there and nowhere else.
    package typealias Visible = @Sendable ([PostID], UserID) async throws -> [RecommendablePost?]

    private let graph: GraphStore
    private let rankings: Rankings
    private let index: NeighbourIndex
    private let clock: @Sendable () -> Int64
    private let visible: Visible
    private let latest = Mutex<[ListKey: MadeList]>([:])
    private let unstored = UnstoredLists()

    /// `clock`: milliseconds since 1970, the same as the database's clock.
    package init(
        graph: GraphStore, rankings: Rankings, index: NeighbourIndex,
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, visible: @escaping Visible
    ) {
        self.graph = graph
        self.rankings = rankings
        self.index = index
        self.clock = clock
        self.visible = visible
    }

    /// Returns the first `limit` recommendations for `user` among the posts of `scope`, by descending score: at most
    /// ``DiscoveryLimits/recommendedPosts``, fewer if the user may see no more unseen posts.
    package func list(
        for user: UserID, scope: RecommendationScope = .everything, limit: Int
    ) async throws -> [Recommendation] {
        let page = try await page(for: user, scope: scope, cursor: nil, limit: limit, isStored: false) { posts in
            try await self.visible(posts, user)
        }
        return page?.items.map(\.recommendation) ?? []
    }

    /// Returns a page of the list that `cursor` names, or of the current list without a cursor, with the items that
    /// `show` gives. `show` gets posts in the order of the list and returns an array of the same order, with nil for a
    /// hidden post. Posts that the user has seen since the list was made are left out. Nil if the cursor belongs to
    /// another list or lies beyond its end. Throws ``GraphError/rankingExpired`` and ``GraphError/accountNotFound``.
    package func page<Item: Sendable>(
        for user: UserID, scope: RecommendationScope = .everything, cursor: RankingCursor?, limit: Int,
        show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<RecommendedItem<Item>>? {
        try await page(for: user, scope: scope, cursor: cursor, limit: limit, isStored: true, show: show)
    }

    private func page<Item: Sendable>(
        for user: UserID, scope: RecommendationScope, cursor: RankingCursor?, limit: Int, isStored: Bool,
        show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<RecommendedItem<Item>>? {
        let made: MadeList
        if let cursor {
            guard let stored = try await stored(cursor.ranking, user, scope) else { return nil }
            made = stored
        } else {
            made = try await current(for: user, scope)
        }
        guard cursor?.offset ?? 0 <= made.list.count else { return nil }
        let page = try await made.ranking.page(from: cursor?.offset ?? 0, limit: limit) { posts in
            let seen = try await self.graph.recommendations.hasSeen(posts, user)
            return zip(zip(posts, seen), try await show(posts)).map { known, item -> RecommendedItem<Item>? in
                guard !known.1, let item, let recommendation = made.byPost[known.0] else { return nil }
                return RecommendedItem(item: item, recommendation: recommendation)
            }
        }
        let items = try await withoutHiddenReasons(page.items, for: user)
        guard let next = page.next, isStored, made.id == nil else {
            return RankedPage(items: items, next: page.next)
        }
        let id = try await store(made, for: user, scope)
        return RankedPage(items: items, next: RankingCursor(ranking: id, offset: next.offset))
    }

    /// Removes reasons that name a post hidden since the list was made.
    private func withoutHiddenReasons<Item: Sendable>(
        _ items: [RecommendedItem<Item>], for user: UserID
    ) async throws -> [RecommendedItem<Item>] {
        let named = Array(Set(items.flatMap { $0.recommendation.reasons.compactMap(\.post) }))
        let hidden = Set(zip(named, try await visible(named, user)).lazy.filter { $0.1 == nil }.map(\.0))
        if hidden.isEmpty { return items }
        return items.map { item in
            RecommendedItem(item: item.item, recommendation: item.recommendation.naming { !hidden.contains($0) })
        }
    }

    /// Returns the current list. Other users' acts may be missing for ``DiscoveryLimits/recommendationFreshness``.
    private func current(for user: UserID, _ scope: RecommendationScope) async throws -> MadeList {
        let inputs = try await RecommendationInputs.read(graph, of: user)
        let (neighbours, generation) = index.current
        let version = MadeList.Version(inputs: inputs.fingerprint, neighbours: generation)
        let now = clock()
        let key = ListKey(user: user, scope: scope.name)
        if let made = latest.withLock({ $0[key] }), made.version == version,
            (0..<DiscoveryLimits.recommendationFreshness).contains(now - made.madeAt)
        {
            return made
        }
        let maker = RecommendationMaker(
            graph: graph, neighbours: neighbours, scope: scope,
            trending: try await rankings.current(.trending(.week)).posts, now: now
        ) { try await self.visible($0, user) }
        let made = MadeList(list: try await maker.list(for: inputs), madeAt: now, version: version)
        remember(made, key)
        return made
    }

    private func remember(_ made: MadeList, _ key: ListKey) {
        latest.withLock { latest in
            if latest.count >= Self.listsInMemory {
                latest = latest.filter {
                    (0..<DiscoveryLimits.recommendationFreshness).contains(made.madeAt - $0.value.madeAt)
                }
                if latest.count >= Self.listsInMemory { latest.removeAll() }
            }
            latest[key] = made
        }
    }

    private func store(_ made: MadeList, for user: UserID, _ scope: RecommendationScope) async throws -> Int64 {
        let bytes = RecommendationCoding.bytes(of: made.list)
        let stored: StoredRecommendations
        do {
            stored = try await graph.recommendations.storeRecommendations(bytes, for: user, scope: scope.name)
        } catch let error as DatabaseError where error.isOfStorage {
            stored = unstored.keep(bytes, for: user, scope: scope.name, at: made.madeAt)
        }
        let key = ListKey(user: user, scope: scope.name)
        latest.withLock { latest in
            if latest[key]?.version == made.version, latest[key]?.madeAt == made.madeAt {
                latest[key] = MadeList(
                    id: stored.id, list: made.list, madeAt: made.madeAt, version: made.version)
            }
        }
        return stored.id
    }

    /// Returns a stored list; nil if it belongs to another user or scope.
    private func stored(_ id: Int64, _ user: UserID, _ scope: RecommendationScope) async throws -> MadeList? {
        var found = unstored[id]
        if found == nil { found = try await graph.recommendations.recommendations(id) }
        guard let found,
            clock() - found.createdAt <= DiscoveryLimits.rankingRetention
        else { throw GraphError.rankingExpired }
        guard found.user == user, found.scope == scope.name else { return nil }
        return MadeList(id: id, list: try RecommendationCoding.list(in: found.entries), madeAt: found.createdAt)
    }
}

/// An item of a page and its recommendation.
package struct RecommendedItem<Item: Sendable>: Sendable {
    package let item: Item
    package let recommendation: Recommendation
}

private struct ListKey: Hashable, Sendable {
    let user: UserID
    let scope: String
}

private struct MadeList: Sendable {
    /// The version of a list's inputs.
    struct Version: Equatable, Sendable {
        let inputs: Int
        let neighbours: Int
    }

    /// Id of the stored list; nil before it is stored.
    let id: Int64?
    let list: [Recommendation]
    let byPost: [PostID: Recommendation]
    let madeAt: Int64
    let version: Version?

    init(id: Int64? = nil, list: [Recommendation], madeAt: Int64, version: Version? = nil) {
        self.id = id
        self.list = list
        self.madeAt = madeAt
        self.version = version
        byPost = Dictionary(list.map { ($0.post, $0) }) { first, _ in first }
    }

    var ranking: Ranking { Ranking(id: id ?? 0, name: "", createdAt: madeAt, posts: list.map(\.post)) }
}
