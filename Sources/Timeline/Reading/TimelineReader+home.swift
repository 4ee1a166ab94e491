import SocialGraph

extension TimelineReader {
    /// A page of `viewer`'s home timeline strictly below `cursor`, of the posts that match `filter`. `limit` is at
    /// least 1. Throws ``GraphError/accountNotFound``.
    package func home(
        of viewer: UserID, below cursor: FeedPosition?, limit: Int, filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        recent.note(viewer)
        let viewer = try await caches.viewer(viewer)
        let rule = VisibilityRule(context: viewer.context)
        var page = PageAssembly(limit: limit, cursor: cursor, budget: examinedRows)
        var source = HomeSource(reader: self, viewer: viewer)
        if filter.isNone {
            // Where few posts are shown, each look takes more of them.
            var count = page.missing
            while !page.isComplete {
                let run = try await source.next(below: page.cursor, limit: max(page.missing, count))
                count = min(count * 2, TimelineLimits.candidatesAtOnce)
                page.append(try await homeItems(run.entries, rule, filter), of: run)
                if !page.isComplete { try ClientPresence.check() }
            }
            return page.result
        }
        var filtered = FilteredHomeSource(home: source, filter: filter)
        while !page.isComplete {
            let run = try await filtered.next(below: page.cursor, limit: page.missing)
            let items = try await homeItems(run.entries, rule, filter)
            filtered.note(shown: items.count, of: run.entries.count)
            page.append(items, of: run)
            if !page.isComplete { try ClientPresence.check() }
        }
        // A window could not be built either from more than one request can find.
        if !page.isSpent { filtered.finish() }
        return page.result
    }

    /// Of `entries`, those that match `filter` and stand in the reader's home timeline where the entry says.
    func homeItems(
        _ entries: [FeedEntry], _ rule: VisibilityRule, _ filter: FeedFilter
    ) async throws -> [TimelineItem] {
        let fragments = try await caches.fragments(of: entries.map(\.post))
        var items: [TimelineItem] = []
        items.reserveCapacity(entries.count)
        for (entry, fragment) in zip(entries, fragments) {
            guard let fragment, filter.matches(fragment), rule.conceals(fragment) == nil else { continue }
            guard try await place(of: fragment, rule) == entry.position else { continue }
            items.append(TimelineItem(post: fragment, position: entry.position))
        }
        return items
    }

    /// Where a post stands in the reader's home timeline, if it were visible; nil: no reason brings it there.
    func place(of post: PostFragment, _ rule: VisibilityRule) async throws -> FeedPosition? {
        if rule.reachesDirectly(post) { return FeedPosition(post.id) }
        return try await caches.firstReshare(of: post.id, rule)?.position
    }
}
