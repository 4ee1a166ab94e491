import SocialGraph

/// A page that is being filled from one source after the other, all below one cursor. One item more than the page
/// holds is looked for, so that a next cursor is given only where something follows.
struct PageAssembly {
    private var items: [PostFragment] = []
    private let limit: Int
    private var isExhausted = false
    /// Everything above has been looked at.
    private(set) var cursor: PostID?

    init(limit: Int, cursor: PostID?) {
        self.limit = limit
        self.cursor = cursor
        items.reserveCapacity(limit + 1)
    }

    var missing: Int { limit + 1 - items.count }
    var isComplete: Bool { isExhausted || missing == 0 }

    /// `lookedDownTo`: the last candidate of the source, shown or not. `exhausted`: nothing lies below it.
    mutating func append(_ shown: [PostFragment], lookedDownTo last: PostID?, exhausted: Bool) {
        items.append(contentsOf: shown.prefix(missing))
        if let last { cursor = last }
        isExhausted = exhausted
    }

    var result: TimelinePage {
        items.count > limit
            ? TimelinePage(items: Array(items.prefix(limit)), next: items[limit - 1].id)
            : TimelinePage(items: items, next: nil)
    }
}
