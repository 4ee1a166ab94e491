import Algorithms
import Database
import SocialGraph

/// The newest entries of many slices below one position, without sorting the rest.
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

    /// Offers the entries of `slice` below the cursor. Returns false if the slice ends at or above the cursor and has
    /// no information here.
    mutating func offer(_ slice: FeedSlice) -> Bool {
        guard slice.end < cursor else { return false }
        let start = slice.entries.partitioningIndex { $0.position < cursor }
        for entry in slice.entries[start...] where !best.offer(entry) { return true }
        end = max(end, slice.end)
        return true
    }

    /// The merged slice. Complete down to the highest end of the slices, or to the last entry if there are as many as
    /// requested.
    var result: FeedSlice {
        let entries = best.sorted()
        let last = entries.count == limit ? entries[limit - 1].position : .beginning
        let end = max(end, last)
        return FeedSlice(entries: Array(entries.prefix { $0.position >= end }), end: end)
    }
}
