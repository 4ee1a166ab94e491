import Database
import SocialGraph

/// A page of a stored ranking. `next` is nil at the true end only. A page with a `next` is full, unless as many posts
/// have been examined as one request may cost.
package struct RankedPage<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: RankingCursor?
}

extension Ranking {
    /// Candidates that a page looks at in one go.
    static let candidatesAtOnce = 512

    /// Up to `limit` items from `offset` on, of those posts that `show` gives an item for: it is handed posts in the
    /// ranking's order and answers each in its place, nil where it is not to be shown. One item more than the page
    /// holds is looked for, so that a next cursor is given only where something follows.
    package func page<Item: Sendable>(
        from offset: Int, limit: Int, budget: Int = SocialGraphLimits.examinedRows,
        show: ([PostID]) async throws -> [Item?]
    ) async throws -> RankedPage<Item> {
        var items: [Item] = []
        var (place, next) = (offset, offset)
        var count = limit + 1
        while place < posts.count {
            let candidates = Array(posts[place..<min(place + count, posts.count)])
            for (index, item) in try await show(candidates).enumerated() {
                guard let item else { continue }
                if items.count == limit {
                    return RankedPage(items: items, next: RankingCursor(ranking: id, offset: next))
                }
                items.append(item)
                next = place + index + 1
            }
            place += candidates.count
            if place - offset >= budget, place < posts.count {
                return RankedPage(items: items, next: RankingCursor(ranking: id, offset: place))
            }
            try ClientPresence.check()
            // A condition that few posts meet is met by looking at more of them at a time.
            count = min(count * 2, Self.candidatesAtOnce)
        }
        return RankedPage(items: items, next: nil)
    }
}
