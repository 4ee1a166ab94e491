/// The `capacity` newest distinct entries of all that were offered, for the k-way merge of feeds.
///
/// The buffer has twice the capacity, and is sorted and cut whenever it is full. Entries come in ascending or
/// descending runs, which a merge sort uses as they are, and duplicates are found without hashing.
package struct NewestEntries {
    private var buffer: [FeedEntry] = []
    /// The oldest entry that the last cut kept: nothing at or below it is wanted any more.
    private var bound: FeedPosition?
    private let capacity: Int

    /// - Parameter capacity: at least 1.
    package init(capacity: Int) {
        self.capacity = capacity
        buffer.reserveCapacity(2 * capacity)
    }

    /// Offers an entry. Returns false if it is too old to be kept, as all older ones would be.
    package mutating func offer(_ entry: FeedEntry) -> Bool {
        if let bound, entry.position <= bound { return entry.position == bound }
        buffer.append(entry)
        if buffer.count == 2 * capacity { cut() }
        return true
    }

    /// Newest first.
    package func sorted() -> [FeedEntry] {
        var all = self
        all.cut()
        return all.buffer
    }

    /// False for an entry that offers so far, at the last cut, have shown to be too old.
    func wants(_ position: FeedPosition) -> Bool { bound.map { position > $0 } ?? true }

    /// Forgets all but the newest.
    mutating func cut() {
        buffer.sort { $0.position > $1.position }
        var kept = 0
        for index in buffer.indices where kept < capacity {
            if kept > 0, buffer[kept - 1].position == buffer[index].position { continue }
            buffer[kept] = buffer[index]
            kept += 1
        }
        buffer.removeLast(buffer.count - kept)
        if kept == capacity { bound = buffer.last?.position }
    }
}
