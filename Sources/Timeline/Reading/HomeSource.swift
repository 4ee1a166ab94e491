import CoreMetrics
import Logging
import RedisClient
import SocialGraph

/// The sources of home pages.
final class HomeSources: Sendable {
    let feeds: FeedStore
    let windows: ReadableShards
    let caches: TimelineCaches
    let pendingWrites: ReadersWithPendingWrites
    let follower: ChangeFollower
    let requestBuild: @Sendable (UserID) -> Void
    let metrics: TimelineMetrics
    let mechanisms: SharingMechanisms
    let logger: Logger

    init(
        feeds: FeedStore, windows: ReadableShards, caches: TimelineCaches, pendingWrites: ReadersWithPendingWrites,
        follower: ChangeFollower, requestBuild: @escaping @Sendable (UserID) -> Void, metrics: TimelineMetrics,
        mechanisms: SharingMechanisms, logger: Logger
    ) {
        self.feeds = feeds
        self.windows = windows
        self.caches = caches
        self.pendingWrites = pendingWrites
        self.follower = follower
        self.requestBuild = requestBuild
        self.metrics = metrics
        self.mechanisms = mechanisms
        self.logger = logger
    }
}

/// The source of candidates for one home page: the window and the pulled feeds above the window's floor, SQLite below
/// it, and SQLite alone without a trusted window.
struct HomeSource {
    let sources: HomeSources
    let viewer: TimelineViewer
    private let early: EarlyWindow?
    private var isFirst = true
    private var hasWindow = true
    /// A query for a slice of another window, sent in the next pipeline of the home window.
    var asksBeside: RedisCommand?
    /// The slice found by `asksBeside`.
    private(set) var foundBeside: FeedSlice?

    init(_ sources: HomeSources, of viewer: TimelineViewer, early: EarlyWindow? = nil) {
        self.early = early
        self.sources = sources
        self.viewer = viewer
    }

    mutating func next(below cursor: FeedPosition, limit: Int) async throws -> FeedSlice {
        if let slice = try await windowed(below: cursor, limit: limit) { return slice }
        return try await sources.feeds.homeSlice(of: viewer.context, below: cursor, limit: limit)
    }

    /// Reads as far down as the window is complete; returns nil below it.
    mutating func windowed(below cursor: FeedPosition, limit: Int) async throws -> FeedSlice? {
        if hasWindow, let slice = try await windowSlice(below: cursor, limit: limit) { return slice }
        hasWindow = false
        return nil
    }

    private mutating func windowSlice(below cursor: FeedPosition, limit: Int) async throws -> FeedSlice? {
        defer { isFirst = false }
        let user = viewer.context.viewer
        if viewer.context.isAheadOfWindow || sources.pendingWrites.contains(viewer.context) {
            sources.metrics.pendingWrites.increment()
            return nil
        }
        // Pulled sources are read before the window. An author who becomes pushed again stays pulled until every window
        // has the posts that were not pushed.
        var pulled = try await sources.caches.pulledSources(of: viewer)
        guard let read = try await read(below: cursor, limit: limit) else { return nil }
        guard let stored = read.home else {
            if isFirst { noteMiss(user, isFirstPage: cursor == .end) }
            return nil
        }
        if isFirst { sources.metrics.hits.increment() }
        if read.hubs > sources.follower.known, sources.mechanisms.comparesHubs {
            // The window leaves out hub authors that this node has not heard of.
            try await sources.follower.catchUp()
            pulled = try await sources.caches.pulledSources(of: viewer)
        }
        if pulled.isEmpty { return stored }
        return FeedSlice.merged([stored, try await sources.caches.slice(of: pulled, below: cursor, limit: limit)])
    }

    /// Reads the window, and what is asked for beside it; nil if Redis does not answer.
    private mutating func read(below cursor: FeedPosition, limit: Int) async throws -> WindowSlices? {
        let user = viewer.context.viewer
        if let early, cursor == .end, asksBeside == nil, sources.holds(early, of: user, count: limit) {
            return early.slices?.first(limit)
        }
        do {
            let slices = try await sources.windows.reader(of: user).slices(
                of: user, below: cursor, count: limit, beside: asksBeside)
            if asksBeside != nil { (asksBeside, foundBeside) = (nil, slices.other) }
            return slices
        } catch let error as RedisError {
            sources.metrics.failed.increment()
            sources.logger.debug("window not readable", metadata: ["error": "\(error.message)"])
            return nil
        }
    }

    private func noteMiss(_ user: UserID, isFirstPage: Bool) {
        if isFirstPage {
            sources.metrics.misses.increment()
            sources.requestBuild(user)
        } else {
            sources.metrics.deep.increment()
        }
    }
}
