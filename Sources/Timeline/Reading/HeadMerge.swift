import SocialGraph

/// The newest entries of many runs below one place, without sorting what is not wanted.
struct HeadMerge {
    private var best: NewestEntries
    private let cursor: FeedPosition
    private let limit: Int
    private var end = FeedPosition.beginning

    init(below cursor: FeedPosition, limit: Int) {
        self.cursor = cursor
        self.limit = limit
        best = NewestEntries(capacity: limit)
    }

    /// Offers the entries of `run` below the cursor. False: the run ends at or above the cursor and says nothing here.
    mutating func offer(_ run: FeedRun) -> Bool {
        guard run.end < cursor else { return false }
        let start = run.entries.partitioningIndex { $0.position < cursor }
        for entry in run.entries[start...] where !best.offer(entry) { return true }
        end = max(end, run.end)
        return true
    }

    /// Complete as far down as every run is, or to the last entry where there are as many as wanted.
    var result: FeedRun {
        let entries = best.sorted()
        let last = entries.count == limit ? entries[limit - 1].position : .beginning
        let end = max(end, last)
        return FeedRun(entries: Array(entries.prefix { $0.position >= end }), end: end)
    }
}
