import Database
import SocialGraph
import Text

/// Lists of posts by words, filter and order. Visibility is decided elsewhere: `show` gets candidates and returns an
/// array of the same order, with nil for a hidden post.
///
/// By recency, a page continues below the last post shown. The other orders change during a walk, so their first page
/// stores a ranking if there is a second page: at most ``PostSearch/rankedPosts`` posts shown at that time, minus posts
/// hidden since. The ranking holds only shown posts, so a cursor never counts a hidden one.
package struct PostSearch: Sendable {
    /// Number of newest matches that a search ranks by relevance or popularity.
    static let searchedPosts = 10_000
    /// Number of best shown posts stored for further pages.
    static let rankedPosts = 1_000

    package typealias Show<Item> = @Sendable ([PostID]) async throws -> [Item?]

    let graph: GraphStore
    let rankings: Rankings
    /// Number of newest matches to rank.
    var depth = PostSearch.searchedPosts
    /// Largest number of rows that one request examines.
    var examinedRows = SocialGraphLimits.examinedRows

    package init(graph: GraphStore, rankings: Rankings) {
        self.graph = graph
        self.rankings = rankings
    }

    /// Returns up to `limit` posts for `viewer`. If the words find nothing at all, the search runs with one letter of a
    /// word changed, provided that this finds something the viewer may see. Nil if `cursor` belongs to another list.
    /// Throws ``GraphError/rankingExpired``.
    package func page<Item: Sendable>(
        _ query: PostQuery, for viewer: UserID, cursor: SearchCursor? = nil, limit: Int, show: Show<Item>
    ) async throws -> SearchPage<Item>? {
        let words = query.words.map { SearchWords($0) }
        switch cursor {
        case .ranked(let cursor):
            let page = try await rankings.page(
                ofStored: name(query, viewer), cursor: cursor, limit: limit, show: show)
            return page.map(SearchPage.init)
        case .below(let post):
            guard query.order == .recency else { return nil }
            return try await newest(query.filter, words, below: post, limit: limit, show)
        case nil:
            let page = try await firstPage(query, words, viewer, limit: limit, show)
            guard page.items.isEmpty, page.next == nil, let words,
                let other = try await correction(of: words, query.filter, show)
            else { return page }
            return try await correctedPage(query, other, viewer, limit: limit, show)
        }
    }

    private func firstPage<Item: Sendable>(
        _ query: PostQuery, _ words: SearchWords?, _ viewer: UserID, limit: Int, _ show: Show<Item>
    ) async throws -> SearchPage<Item> {
        if query.order == .recency { return try await newest(query.filter, words, below: nil, limit: limit, show) }
        var candidates = try await candidates(query, words)
        return SearchPage(try await ranked(&candidates, query, viewer, limit: limit, show))
    }

    /// Stores a ranking even in order of recency: a cursor that is an id would continue with the words of the request.
    private func correctedPage<Item: Sendable>(
        _ query: PostQuery, _ words: SearchWords, _ viewer: UserID, limit: Int, _ show: Show<Item>
    ) async throws -> SearchPage<Item> {
        var candidates = try await candidates(query, words)
        let page = try await ranked(&candidates, query, viewer, limit: limit, show)
        return SearchPage(
            items: page.items, next: page.next.map(SearchCursor.ranked), corrected: words.words.joined(separator: " "))
    }

    /// Returns the newest posts. The page looks for one post beyond its end, so it has a next cursor only if another
    /// post follows.
    private func newest<Item: Sendable>(
        _ filter: PostFilter, _ words: SearchWords?, below post: PostID?, limit: Int, _ show: Show<Item>
    ) async throws -> SearchPage<Item> {
        var items: [Item] = []
        var (place, last) = (post, post)
        var count = limit + 1
        var left = examinedRows
        while true {
            let found = try await graph.search.newestPosts(
                having: words, filter, below: place, limit: count, budget: left)
            for (id, item) in zip(found.posts, try await show(found.posts)) {
                guard let item else { continue }
                if items.count == limit {
                    return SearchPage(items: items, next: last.map(SearchCursor.below), corrected: nil)
                }
                items.append(item)
                last = id
            }
            guard let end = found.end else { return SearchPage(items: items, next: nil, corrected: nil) }
            place = end
            left -= max(found.examined, found.posts.count, 1)
            if left <= 0 { return SearchPage(items: items, next: .below(end), corrected: nil) }
            try ClientPresence.check()
            // Under a rare condition, later steps examine more posts at a time.
            count = min(count * 2, Ranking.candidatesAtOnce)
        }
    }

    private func ranked<Item: Sendable>(
        _ candidates: inout PostCandidates, _ query: PostQuery, _ viewer: UserID, limit: Int, _ show: Show<Item>
    ) async throws -> RankedPage<Item> {
        var (items, posts): ([Item], [PostID]) = ([], [])
        var count = limit + 1
        var left = examinedRows
        while posts.count < Self.rankedPosts, left > 0 {
            let (next, examined) = try await candidates.next(count, budget: left)
            if next.isEmpty { break }
            left -= max(examined, next.count)
            try ClientPresence.check()
            for (id, item) in zip(next, try await show(next)) {
                guard let item, posts.count < Self.rankedPosts else { continue }
                posts.append(id)
                if items.count < limit { items.append(item) }
            }
            count = min(count * 2, Ranking.candidatesAtOnce)
        }
        guard posts.count > items.count else { return RankedPage(items: items, next: nil) }
        let ranking = try await rankings.keep(posts, as: name(query, viewer))
        return RankedPage(items: items, next: RankingCursor(ranking: ranking.id, offset: items.count))
    }

    private func candidates(_ query: PostQuery, _ words: SearchWords?) async throws -> PostCandidates {
        switch query.order {
        case .relevance:
            guard let words else { break }
            return .listed(
                try await graph.search.bestPosts(having: words, query.filter, limit: depth, budget: examinedRows).posts)
        case .recency: break
        case .popularity:
            let posts = try await graph.search.popularPosts(
                having: words, query.filter, limit: depth, budget: examinedRows)
            guard let posts else { return .popular(graph, query.filter) }
            return .listed(posts.map(\.post))
        }
        return .listed(
            try await graph.search.newestPosts(
                having: words, query.filter, below: nil, limit: depth, budget: examinedRows
            )
            .posts)
    }

    /// Returns the name of the ranking, which belongs to one viewer and one query. The name is a digest, so no search
    /// text is stored.
    private func name(_ query: PostQuery, _ viewer: UserID) -> String {
        "search:" + String(Fingerprint(of: "\(viewer.rawValue) \(query)").value, radix: 16)
    }
}

extension PostQuery {
    /// Order in effect: without words no post is more relevant than another.
    fileprivate var order: PostSort { words == nil && sort == .relevance ? .recency : sort }
}

extension SearchPage {
    fileprivate init(_ page: RankedPage<Item>) {
        self.init(items: page.items, next: page.next.map(SearchCursor.ranked), corrected: nil)
    }
}
