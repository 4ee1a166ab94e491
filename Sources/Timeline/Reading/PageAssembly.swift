import SocialGraph

/// A page that is filled from one slice after the other, all below one cursor. It looks for one item more than the page
/// holds, so that a next cursor is given only if something follows. The page ends before it is full only if the request
/// has examined the maximum number of rows; the next page then starts at its cursor.
struct PageAssembly {
    /// Candidates examined at once in search of posts that meet a rare condition.
    static let candidatesAtOnce = 512

    private var items: [TimelineItem] = []
    private let limit: Int
    private let budget: Int
    private var examined = 0
    /// The position down to which everything has been examined.
    private(set) var cursor: FeedPosition

    /// - Parameter budget: rows.
    init(limit: Int, cursor: FeedPosition?, budget: Int = SocialGraphLimits.examinedRows) {
        self.limit = limit
        self.budget = budget
        self.cursor = cursor ?? .end
        items.reserveCapacity(limit + 1)
    }

    var missing: Int { limit + 1 - items.count }
    /// The number of rows that may still be examined.
    var left: Int { max(budget - examined, 0) }
    var isComplete: Bool { cursor == .beginning || missing == 0 || isSpent }
    var isSpent: Bool { examined >= budget }

    /// Appends `shown`, the visible items of the slice `slice`.
    mutating func append(_ shown: [TimelineItem], of slice: FeedSlice) {
        append(shown, lookedDownTo: slice.end)
        // An empty slice counts as one row, since it took a query.
        examined += max(slice.examined, slice.entries.count, 1)
    }

    /// Appends `shown`. `end` is the position down to which its slice was complete.
    mutating func append(_ shown: [TimelineItem], lookedDownTo end: FeedPosition) {
        items.append(contentsOf: shown.prefix(missing))
        cursor = end
    }

    var result: TimelinePage {
        if items.count > limit {
            return TimelinePage(items: Array(items.prefix(limit)), next: items[limit - 1].position)
        }
        return TimelinePage(items: items, next: cursor == .beginning ? nil : cursor)
    }
}
