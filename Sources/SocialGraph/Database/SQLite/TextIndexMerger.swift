import GRDB
import Synchronization

/// Merges the segments of which FTS5 makes its index of posts, a few pages after every few posts.
///
/// Each commit leaves a segment, and a search looks into every one. FTS5 by itself merges as part of a commit, once for
/// every 64 pages that commits have left, hundreds of pages at once: one post in 64 waited 25 to 45 ms for it. Its
/// `automerge` is off; what stays on (`crisismerge`) bounds the segments of a level at 16, which only matters where
/// more is written than is merged here.
final class TextIndexMerger: Sendable {
    /// Pages that have been written since.
    private let owed = Mutex(0)

    /// A commit has left so many documents: a page, and one more for each few of them.
    func hasIndexed(_ documents: Int) {
        guard documents > 0 else { return }
        let pages = 1 + documents / SocialGraphLimits.documentsOfPage
        owed.withLock { $0 = min($0 + pages, SocialGraphLimits.mergesOwed) }
    }

    /// To be called after commits, when their callers have been answered. A failure is that of a merge, which the next
    /// one makes good.
    func step(on database: Database) {
        let pages = owed.withLock { owed in
            guard owed >= SocialGraphLimits.pagesWorthMerging else { return 0 }
            let pages = min(owed, SocialGraphLimits.pagesPerMerge)
            owed -= pages
            return pages
        }
        if pages == 0 { return }
        let before = database.totalChangesCount
        try? database.inTransaction(.immediate) {
            try database.run("INSERT INTO post_text (post_text, rank) VALUES ('merge', ?1)", [.integer(Int64(pages))])
            return .commit
        }
        // FTS5 says in this way that nothing was left to be merged.
        if database.totalChangesCount - before < 2 { owed.withLock { $0 = 0 } }
    }
}
