/// The social graph and its posts: every question and every invariant-preserving write. One file an aspect: accounts,
/// follows, posts, feeds, outbox, import. It knows nothing of Redis or HTTP.
package struct GraphStore: Sendable {
    package let database: any GraphDatabase
    package let desk = ScreeningDesk()

    package init(database: any GraphDatabase) { self.database = database }
}

/// One page of a keyset-paged list. `next` is nil at the true end only.
package struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
    package let items: [Item]
    package let next: Cursor?

    package init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }

    /// Of `limit + 1` rows asked for, the page and where the next one starts.
    init(rows: [Item], limit: Int, cursor: (Item) -> Cursor) {
        items = Array(rows.prefix(limit))
        next = rows.count > limit ? items.last.map(cursor) : nil
    }
}
