import CoreMetrics
import Logging
import SocialGraph

/// Reads timelines. Sources propose entries, newest first; the visibility rule says which of them the reader sees and
/// where; a page is filled up until it is full or nothing is left. So every way leads to the same page.
package struct TimelineReader: Sendable {
    let graph: any TimelineGraph
    let windows: WindowReader
    let filterWindows: FilterWindows
    let caches: TimelineCaches
    let unsettled: UnsettledReaders
    let recent: RecentReaders
    let requestBuild: @Sendable (UserID) -> Void
    let metrics: TimelineMetrics
    let logger: Logger

    /// A page of the posts of which `user` is an author, as `viewer` sees them. Throws ``GraphError/accountNotFound``.
    package func author(
        _ user: UserID, for viewer: UserID, below cursor: FeedPosition?, limit: Int
    ) async throws -> TimelinePage {
        let rule = try await rule(for: viewer)
        var page = PageAssembly(limit: limit, cursor: cursor)
        while !page.isComplete {
            let ids = try await graph.authorFeed(of: user, below: page.cursor, limit: page.missing)
            let run = FeedRun(ids.map { FeedEntry($0) }, limit: page.missing)
            let items = try await visibleItems(run.entries) {
                !$0.isHeld && rule.isShownByItself($0) && $0.authors.contains(user)
            }
            page.append(items, lookedDownTo: run.end)
        }
        return page.result
    }

    /// A page of everybody's public posts that match `filter`, as `viewer` sees them.
    package func everything(
        for viewer: UserID, below cursor: FeedPosition?, limit: Int, filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        let rule = try await rule(for: viewer)
        let sources = filter.sources ?? [.everything]
        return try await page(sources, below: cursor, limit: limit) { post in
            rule.conceals(post) == nil && post.isPublic && filter.matches(post)
        }
    }

    /// A page of a community's posts that match `filter`, as `viewer` sees them.
    package func community(
        _ community: CommunityID, for viewer: UserID, below cursor: FeedPosition?, limit: Int,
        filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        let rule = try await rule(for: viewer)
        return try await page([.community(community)], below: cursor, limit: limit) { post in
            rule.conceals(post) == nil && !post.isSilenced && filter.matches(post)
        }
    }

    /// Those of `posts`, which a community shows, that `viewer` sees, in their order.
    package func posts(_ posts: [PostID], for viewer: UserID) async throws -> [TimelineItem] {
        let rule = try await rule(for: viewer)
        return try await visibleItems(posts.map { FeedEntry($0) }) { rule.conceals($0) == nil && !$0.isSilenced }
    }

    /// One live post as `viewer` sees it, or nil.
    package func post(_ id: PostID, for viewer: UserID) async throws -> PostFragment? {
        guard let post = try await caches.fragments(of: [id])[0] else { return nil }
        return try await rule(for: viewer).isShownByItself(post) ? post : nil
    }

    func rule(for viewer: UserID) async throws -> VisibilityRule {
        VisibilityRule(context: try await caches.viewer(viewer).context)
    }

    /// A page of entries of `sources`, each post once, at its own place.
    private func page(
        _ sources: [FeedSource], below cursor: FeedPosition?, limit: Int,
        where isShown: (PostFragment) -> Bool
    ) async throws -> TimelinePage {
        var page = PageAssembly(limit: limit, cursor: cursor)
        // A condition that few posts meet is met by looking at more of them at a time.
        var count = page.missing
        while !page.isComplete {
            let run = try await graph.run(ofAny: sources, below: page.cursor, limit: max(page.missing, count))
            page.append(try await visibleItems(run.entries, where: isShown), lookedDownTo: run.end)
            count = min(count * 2, TimelineLimits.candidatesAtOnce)
        }
        return page.result
    }

    private func visibleItems(
        _ entries: [FeedEntry], where isShown: (PostFragment) -> Bool
    ) async throws -> [TimelineItem] {
        let fragments = try await caches.fragments(of: entries.map(\.post))
        return zip(entries, fragments).compactMap { entry, fragment in
            guard let fragment, isShown(fragment) else { return nil }
            return TimelineItem(post: fragment, position: entry.position)
        }
    }
}
