import GRDB
import Synchronization

/// Merges the segments of an FTS5 index, such as that of posts, a few pages after every few posts.
///
/// Each commit leaves a segment, and a search looks into every segment. FTS5 by itself merges within a commit, once for
/// every 64 pages that commits have left, hundreds of pages at once: one post in 64 waited 25 to 45 ms for it. Its
/// `automerge` is off. `crisismerge` stays on and bounds the segments of a level at 16, which only matters if more is
/// written than is merged here.
final class TextIndexMerger: Sendable {
    /// Approximate number of documents that fill a page of the index.
    static let documentsOfPage = 16
    /// Pages after which the index is merged.
    static let pagesWorthMerging = 16
    /// Pages of one step.
    static let pagesPerMerge = 64
    /// Largest backlog of merging, in pages; pages beyond it are not counted.
    static let mergesOwed = 1_024

    /// Statement that merges a bounded number of pages; nil: no index is merged here.
    private let merge: String?
    /// Pages that have been written since the last merge.
    private let owed = Mutex(0)

    init(_ index: TextIndex?) {
        merge = index.map { "INSERT INTO \($0.table) (\($0.table), rank) VALUES ('merge', ?1)" }
    }

    /// Records the documents of a commit: one page, and one more for each few of them.
    func hasIndexed(_ documents: Int) {
        guard merge != nil, documents > 0 else { return }
        let pages = 1 + documents / Self.documentsOfPage
        owed.withLock { $0 = min($0 + pages, Self.mergesOwed) }
    }

    /// Merges one step. Call it after commits, when their callers have been answered. A failure concerns the merge
    /// only, and the next step makes up for it.
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
        // FTS5 reports in this way that nothing was left to merge.
        if database.totalChangesCount - before < 2 { owed.withLock { $0 = 0 } }
    }
}
