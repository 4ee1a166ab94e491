import GRDB
import Synchronization

/// Merges the segments of which FTS5 makes an index, such as that of posts, a few pages after every few posts.
///
/// Each commit leaves a segment, and a search looks into every one. FTS5 by itself merges as part of a commit, once for
/// every 64 pages that commits have left, hundreds of pages at once: one post in 64 waited 25 to 45 ms for it. Its
/// `automerge` is off; what stays on (`crisismerge`) bounds the segments of a level at 16, which only matters where
/// more is written than is merged here.
final class TextIndexMerger: Sendable {
    /// Documents that fill a page of the index, about.
    static let documentsOfPage = 16
    /// Pages after which the index is merged.
    static let pagesWorthMerging = 16
    /// Pages of one step.
    static let pagesPerMerge = 64
    /// Pages that merging may be behind; what comes on top is not counted.
    static let mergesOwed = 1_024

    /// Statement for a merge of so many pages; nil: no index is merged here.
    private let merge: String?
    /// Pages that have been written since.
    private let owed = Mutex(0)

    init(_ index: TextIndex?) {
        merge = index.map { "INSERT INTO \($0.table) (\($0.table), rank) VALUES ('merge', ?1)" }
    }

    /// A commit has left so many documents: a page, and one more for each few of them.
    func hasIndexed(_ documents: Int) {
        guard merge != nil, documents > 0 else { return }
        let pages = 1 + documents / Self.documentsOfPage
        owed.withLock { $0 = min($0 + pages, Self.mergesOwed) }
    }

    /// To be called after commits, when their callers have been answered. A failure is that of a merge, which the next
    /// one makes good.
    func step(on reader: SQLiteReader) {
        let database = reader.database
        let pages = owed.withLock { owed in
            guard owed >= Self.pagesWorthMerging else { return 0 }
            let pages = min(owed, Self.pagesPerMerge)
            owed -= pages
            return pages
        }
        guard pages > 0, let merge else { return }
        let before = database.totalChangesCount
        try? database.inTransaction(.immediate) {
            try reader.run(merge, [.integer(Int64(pages))])
            return .commit
        }
        // FTS5 says in this way that nothing was left to be merged.
        if database.totalChangesCount - before < 2 { owed.withLock { $0 = 0 } }
    }
}
