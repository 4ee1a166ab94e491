import Database
import SocialGraph

/// A page of a stored ranking. `next` is nil only at the true end. A page with a `next` is full, unless the request has
/// examined as many posts as it may.
package struct RankedPage<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: RankingCursor?
}

extension Ranking {
    /// Largest number of candidates examined in one step.
    static let candidatesAtOnce = 512

    /// Returns up to `limit` items from `offset` on, for the posts that `show` gives an item for. `show` gets posts in
    /// the ranking's order and returns an array of the same order, with nil for a hidden post. The page looks for one
    /// item beyond its end, so it has a next cursor only if another item follows.
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
            // Under a rare condition, later steps examine more posts at a time.
            count = min(count * 2, Self.candidatesAtOnce)
        }
        return RankedPage(items: items, next: nil)
    }
}
