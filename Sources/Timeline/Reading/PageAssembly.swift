import SocialGraph

/// A page that is being filled from one run after the other, all below one cursor. One item more than the page holds is
/// looked for, so that a next cursor is given only where something follows. Only where as many rows have been examined
/// as one request may cost, the page ends before it is full, and its cursor is where the next one goes on.
struct PageAssembly {
    /// Candidates looked at in one go in search of posts that meet a rare condition.
    static let candidatesAtOnce = 512

    private var items: [TimelineItem] = []
    private let limit: Int
    private let budget: Int
    private var examined = 0
    /// Everything above has been looked at.
    private(set) var cursor: FeedPosition

    /// - Parameter budget: rows.
    init(limit: Int, cursor: FeedPosition?, budget: Int = SocialGraphLimits.examinedRows) {
        self.limit = limit
        self.budget = budget
        self.cursor = cursor ?? .end
        items.reserveCapacity(limit + 1)
    }

    var missing: Int { limit + 1 - items.count }
    /// Rows that may still be examined.
    var left: Int { max(budget - examined, 0) }
    var isComplete: Bool { cursor == .beginning || missing == 0 || isSpent }
    var isSpent: Bool { examined >= budget }

    /// `run`: where `shown` came from.
    mutating func append(_ shown: [TimelineItem], of run: FeedRun) {
        append(shown, lookedDownTo: run.end)
        // Also where a run is empty, another was asked for.
        examined += max(run.examined, run.entries.count, 1)
    }

    /// `end`: how far down the run that `shown` came from was complete.
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
