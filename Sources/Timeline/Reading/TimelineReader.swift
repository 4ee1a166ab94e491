import CoreMetrics
import Logging
import SocialGraph

/// Reads timelines: from the window above its floor, from SQLite below, and from SQLite alone where there is no
/// window to trust. Every way leads to the same page.
package struct TimelineReader: Sendable {
    let graph: any TimelineGraph
    let windows: WindowReader
    let caches: TimelineCaches
    let unsettled: UnsettledReaders
    let requestBuild: @Sendable (UserID) -> Void
    let metrics: TimelineMetrics
    let logger: Logger

    /// A page of `viewer`'s home timeline strictly below `cursor`. `limit` is at least 1.
    package func home(of viewer: UserID, below cursor: PostID?, limit: Int) async throws -> TimelinePage {
        let visibility = HomeVisibility(viewer: viewer, followees: try await caches.followees(of: viewer))
        var page = PageAssembly(limit: limit, cursor: cursor)
        try await fillFromWindow(&page, visibility)
        while !page.isComplete {
            let ids = try await graph.homeFeed(of: viewer, below: page.cursor, limit: page.missing)
            try await take(ids, into: &page, exhausted: ids.count < page.missing) { visibility.shows($0) }
        }
        return page.result
    }

    /// A page of the posts of which `user` is an author. Throws ``GraphError/accountNotFound``.
    package func author(_ user: UserID, below cursor: PostID?, limit: Int) async throws -> TimelinePage {
        var page = PageAssembly(limit: limit, cursor: cursor)
        while !page.isComplete {
            let ids = try await graph.authorFeed(of: user, below: page.cursor, limit: page.missing)
            try await take(ids, into: &page, exhausted: ids.count < page.missing) { $0.authors.contains(user) }
        }
        return page.result
    }

    /// One live post, or nil.
    package func post(_ id: PostID) async throws -> PostFragment? {
        try await caches.fragments(of: [id]).first
    }

    private func fillFromWindow(_ page: inout PageAssembly, _ visibility: HomeVisibility) async throws {
        let viewer = visibility.viewer
        if unsettled.contains(viewer) {
            metrics.unsettled.increment()
            return
        }
        var isFirst = true
        while !page.isComplete {
            let slice: WindowSlice
            do {
                slice = try await windows.slice(of: viewer, below: page.cursor, count: page.missing)
            } catch let error as RedisError {
                metrics.failed.increment()
                logger.debug("window not readable", metadata: ["error": "\(error.message)"])
                return
            }
            if slice.posts.isEmpty && !slice.reachesBeginning {
                if isFirst { noteMiss(viewer, isFirstPage: page.cursor == nil) }
                return
            }
            if isFirst { metrics.hits.increment() }
            isFirst = false
            try await take(slice.posts, into: &page, exhausted: slice.reachesBeginning) { visibility.shows($0) }
        }
    }

    private func noteMiss(_ viewer: UserID, isFirstPage: Bool) {
        if isFirstPage {
            metrics.misses.increment()
            requestBuild(viewer)
        } else {
            metrics.deep.increment()
        }
    }

    private func take(
        _ ids: [PostID], into page: inout PageAssembly, exhausted: Bool, where isShown: (PostFragment) -> Bool
    ) async throws {
        let fragments = ids.isEmpty ? [] : try await caches.fragments(of: ids)
        page.append(fragments.filter(isShown), lookedDownTo: ids.last, exhausted: exhausted)
    }
}
