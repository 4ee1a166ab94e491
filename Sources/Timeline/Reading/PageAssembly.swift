import SocialGraph

/// A page that is being filled from one run after the other, all below one cursor. One item more than the page holds is
/// looked for, so that a next cursor is given only where something follows.
struct PageAssembly {
    private var items: [TimelineItem] = []
    private let limit: Int
    /// Everything above has been looked at.
    private(set) var cursor: FeedPosition

    init(limit: Int, cursor: FeedPosition?) {
        self.limit = limit
        self.cursor = cursor ?? .end
        items.reserveCapacity(limit + 1)
    }

    var missing: Int { limit + 1 - items.count }
    var isComplete: Bool { cursor == .beginning || missing == 0 }

    /// `end`: how far down the run that `shown` came from was complete.
    mutating func append(_ shown: [TimelineItem], lookedDownTo end: FeedPosition) {
        items.append(contentsOf: shown.prefix(missing))
        cursor = end
    }

    var result: TimelinePage {
        items.count > limit
            ? TimelinePage(items: Array(items.prefix(limit)), next: items[limit - 1].position)
            : TimelinePage(items: items, next: nil)
    }
}
