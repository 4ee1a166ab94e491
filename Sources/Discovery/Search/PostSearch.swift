import Database
import SocialGraph

/// Lists of posts by words, filter and order. Who sees what is decided elsewhere: `show` is handed candidates and
/// answers each in its place, nil where it is not to be shown.
///
/// By recency a page goes on below the last post shown. The other orders move while somebody reads, so their first page
/// stores a ranking, if there is a second page: at most ``PostSearch/rankedPosts`` posts that were shown then,
/// minus what has been hidden since. It holds nothing that was not shown, so that a cursor counts nothing hidden.
package struct PostSearch: Sendable {
    /// Posts that a search ranks by relevance or popularity, the newest that match.
    static let searchedPosts = 10_000
    /// Posts that are kept for further pages, the best that were shown.
    static let rankedPosts = 1_000

    package typealias Show<Item> = @Sendable ([PostID]) async throws -> [Item?]

    let graph: GraphStore
    let rankings: Rankings
    /// Posts that are ranked, the newest that match.
    var depth = PostSearch.searchedPosts
    /// Rows that one request may examine.
    var examinedRows = SocialGraphLimits.examinedRows

    package init(graph: GraphStore, rankings: Rankings) {
        self.graph = graph
        self.rankings = rankings
    }

    /// Up to `limit` posts for `viewer`. Where words find nothing at all, a word with one letter changed is searched
    /// instead, if that finds something the viewer sees. Nil if `cursor` is of another list. Throws
    /// ``GraphError/rankingExpired``.
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

    /// A ranking also where the order is by recency: a cursor that is an id would go on with the words of the request.
    private func correctedPage<Item: Sendable>(
        _ query: PostQuery, _ words: SearchWords, _ viewer: UserID, limit: Int, _ show: Show<Item>
    ) async throws -> SearchPage<Item> {
        var candidates = try await candidates(query, words)
        let page = try await ranked(&candidates, query, viewer, limit: limit, show)
        return SearchPage(
            items: page.items, next: page.next.map(SearchCursor.ranked), corrected: words.words.joined(separator: " "))
    }

    /// One post more than the page holds is looked for, so that a next cursor is given only where something follows.
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
            // A condition that few posts meet is met by looking at more of them at a time.
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

    /// A ranking belongs to who asked and to what was asked. Its name is a digest, so that nothing that somebody has
    /// searched for is stored.
    private func name(_ query: PostQuery, _ viewer: UserID) -> String {
        "search:" + String(Fingerprint(of: "\(viewer.rawValue) \(query)").value, radix: 16)
    }
}

extension PostQuery {
    /// Without words nothing is more relevant than another.
    fileprivate var order: PostSort { words == nil && sort == .relevance ? .recency : sort }
}

extension SearchPage {
    fileprivate init(_ page: RankedPage<Item>) {
        self.init(items: page.items, next: page.next.map(SearchCursor.ranked), corrected: nil)
    }
}
