import CoreMetrics
import Database
import Logging
import SocialGraph

/// Reads the feeds that are not specific to one reader: of an author, of a community, of all public posts. Sources
/// propose entries, newest first. The visibility rule selects the entries shown to the reader. A page is filled until
/// it is full or the sources are exhausted.
package struct FeedReader: Sendable {
    let feeds: FeedStore
    let caches: TimelineCaches
    /// Maximum number of rows that one request may examine.
    var examinedRows = SocialGraphLimits.examinedRows

    /// A page of the posts of which `user` is an author, as `viewer` sees them. Throws ``GraphError/accountNotFound``.
    package func author(
        _ user: UserID, for viewer: UserID, below cursor: FeedPosition?, limit: Int
    ) async throws -> TimelinePage {
        let rule = try await caches.rule(for: viewer)
        var page = PageAssembly(limit: limit, cursor: cursor, budget: examinedRows)
        var count = page.missing
        while !page.isComplete {
            let size = max(page.missing, count)
            let ids = try await feeds.authorFeed(of: user, for: viewer, below: page.cursor, limit: size)
            let slice = FeedSlice(ids.map { FeedEntry($0) }, limit: size)
            count = min(count * 2, PageAssembly.candidatesAtOnce)
            let items = try await caches.items(of: slice.entries) {
                !$0.isHeld && rule.isShownByItself($0) && $0.authors.contains(user)
            }
            page.append(items, of: slice)
            if !page.isComplete { try ClientPresence.check() }
        }
        return page.result
    }

    /// A page of all public posts that match `filter`, as `viewer` sees them.
    package func everything(
        for viewer: UserID, below cursor: FeedPosition?, limit: Int, filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        let rule = try await caches.rule(for: viewer)
        return try await page(.everything, filter.conditions(), below: cursor, limit: limit) { post in
            rule.conceals(post) == nil && post.isPublic && filter.matches(post)
        }
    }

    /// A page of a community's posts that match `filter`, as `viewer` sees them.
    package func community(
        _ community: CommunityID, for viewer: UserID, below cursor: FeedPosition?, limit: Int,
        filter: FeedFilter = .none
    ) async throws -> TimelinePage {
        if filter.matchesNothing { return TimelinePage(items: [], next: nil) }
        let rule = try await caches.rule(for: viewer)
        let conditions = filter.conditions(in: community)
        return try await page(.community(community), conditions, below: cursor, limit: limit) { post in
            rule.conceals(post) == nil && !post.isSilenced && filter.matches(post)
        }
    }

    /// Returns those of a community's `posts` that `viewer` sees, in their order.
    package func posts(_ posts: [PostID], for viewer: UserID) async throws -> [TimelineItem] {
        let rule = try await caches.rule(for: viewer)
        return try await caches.items(of: posts.map { FeedEntry($0) }) { rule.conceals($0) == nil && !$0.isSilenced }
    }

    /// A page of the posts of `source` that meet `conditions`, if any, each at its own position.
    private func page(
        _ source: FeedSource, _ conditions: FeedConditions?, below cursor: FeedPosition?, limit: Int,
        where isShown: (PostFragment) -> Bool
    ) async throws -> TimelinePage {
        var page = PageAssembly(limit: limit, cursor: cursor, budget: examinedRows)
        // If few posts are shown, each query fetches more of them.
        var count = page.missing
        while !page.isComplete {
            let size = max(page.missing, count)
            let slice =
                if let conditions {
                    try await feeds.slice(of: conditions, below: page.cursor, limit: size, budget: page.left)
                } else {
                    try await feeds.slice(ofAny: [source], below: page.cursor, limit: size)
                }
            page.append(try await caches.items(of: slice.entries, where: isShown), of: slice)
            if !page.isComplete { try ClientPresence.check() }
            count = min(count * 2, PageAssembly.candidatesAtOnce)
        }
        return page.result
    }
}
