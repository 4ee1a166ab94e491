/// A slice of a timeline's source below a place: its entries, newest first, and the place down to which it is complete.
///
/// Sources propose and the visibility rule decides. An entry is a reason to look at a post at a place; only the rule
/// decides whether a reader sees it there. A source may therefore propose too much, but must never miss an entry
/// between its start and its `end`.
package struct FeedSlice: Sendable {
    /// Newest first, without duplicates.
    package private(set) var entries: [FeedEntry]
    /// The place down to which the slice is complete, inclusive; ``FeedPosition/beginning``: the source has no more.
    package private(set) var end: FeedPosition
    /// Rows that were examined to find the entries. Merging the feeds of a reader's followees is not counted, because
    /// its cost depends on their number rather than on what is found.
    package var examined: Int

    /// - Parameter examined: rows; nil: as many as there are entries.
    package init(entries: [FeedEntry], end: FeedPosition, examined: Int? = nil) {
        self.entries = entries
        self.end = end
        self.examined = examined ?? entries.count
    }

    /// The outcome of asking for `limit` entries.
    package init(_ entries: [FeedEntry], limit: Int) {
        self.init(entries: entries, end: entries.count < limit ? .beginning : entries[entries.count - 1].position)
    }

    package static let nothing = FeedSlice(entries: [], end: .beginning)

    /// One slice merged from several that start at the same place: complete as far down as all of them are.
    package static func merged(_ slices: [FeedSlice]) -> FeedSlice {
        guard slices.count > 1 else { return slices.first ?? .nothing }
        let end = slices.map(\.end).max() ?? .beginning
        var entries = slices.flatMap { $0.entries.prefix { $0.position >= end } }
        entries.sort { $0.position > $1.position }
        var last: FeedEntry?
        entries.removeAll { entry in
            defer { last = entry }
            return entry == last
        }
        return FeedSlice(entries: entries, end: end, examined: slices.reduce(0) { $0 + $1.examined })
    }

    /// Cut to the newest `count` entries.
    package func prefix(_ count: Int) -> FeedSlice {
        guard entries.count > count else { return self }
        return FeedSlice(entries: Array(entries.prefix(count)), end: entries[count - 1].position, examined: examined)
    }
}

extension FeedSlice: Equatable {
    /// Compares results, however they were found.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.entries == rhs.entries && lhs.end == rhs.end }
}
