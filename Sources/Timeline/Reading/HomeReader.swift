import Database
import SocialGraph

/// Reads home timelines. Sources propose entries, newest first. The visibility rule selects the entries shown to the
/// reader and their positions. A page is filled until it is full or the sources are exhausted. Every source therefore
/// leads to the same page.
package struct HomeReader: Sendable {
    let sources: HomeSources
    let filterWindows: FilterWindows
    let recent: RecentReaders
    /// Maximum number of rows that one request may examine.
    var examinedRows = SocialGraphLimits.examinedRows

    /// A page of `viewer`'s home timeline strictly below `cursor`, of the posts that match `filter`. `limit` is at
    /// least 1. `early`: the window, if it was read already. Throws ``GraphError/accountNotFound``.
    package func page(
        of viewer: UserID, below cursor: FeedPosition?, limit: Int, filter: FeedFilter = .none,
        early: EarlyWindow? = nil
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        recent.note(viewer)
        let viewer = try await sources.caches.viewer(viewer)
        let rule = VisibilityRule(context: viewer.context)
        var page = PageAssembly(limit: limit, cursor: cursor, budget: examinedRows)
        var source = HomeSource(sources, of: viewer, early: early)
        if filter.isNone {
            // If few posts are shown, each query fetches more of them.
            var count = page.missing
            while !page.isComplete {
                let slice = try await source.next(below: page.cursor, limit: max(page.missing, count))
                count = min(count * 2, PageAssembly.candidatesAtOnce)
                page.append(try await sources.caches.homeItems(of: slice.entries, rule, filter), of: slice)
                if !page.isComplete { try ClientPresence.check() }
            }
            return page.result
        }
        var filtered = FilteredHomeSource(home: source, windows: filterWindows, filter: filter)
        while !page.isComplete {
            let slice = try await filtered.next(below: page.cursor, limit: page.missing)
            let items = try await sources.caches.homeItems(of: slice.entries, rule, filter)
            filtered.note(shown: items.count, of: slice.entries.count)
            page.append(items, of: slice)
            if !page.isComplete { try ClientPresence.check() }
        }
        // A build could not examine more rows than one request either.
        if !page.isSpent { filtered.finish() }
        return page.result
    }
}
