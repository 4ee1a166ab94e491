import CoreMetrics
import Logging
import RedisClient
import SocialGraph

/// Where the candidates of one home page come from: from the window and the pulled feeds above the window's floor, from
/// SQLite below it, and from SQLite alone where there is no window to trust.
struct HomeSource {
    let reader: TimelineReader
    let viewer: TimelineViewer
    private var isFirst = true
    private var hasWindow = true
    /// Asks for a slice of another window in the pipeline of the next one of the home window …
    var asksBeside: RedisCommand?
    /// … and what came of it.
    private(set) var foundBeside: FeedRun?

    init(reader: TimelineReader, viewer: TimelineViewer) {
        self.reader = reader
        self.viewer = viewer
    }

    mutating func next(below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        if let run = try await windowed(below: cursor, limit: limit) { return run }
        return try await reader.graph.homeRun(of: viewer.context, below: cursor, limit: limit)
    }

    /// As far as the window goes; nil below it.
    mutating func windowed(below cursor: FeedPosition, limit: Int) async throws -> FeedRun? {
        if hasWindow, let run = try await windowRun(below: cursor, limit: limit) { return run }
        hasWindow = false
        return nil
    }

    private mutating func windowRun(below cursor: FeedPosition, limit: Int) async throws -> FeedRun? {
        defer { isFirst = false }
        let user = viewer.context.viewer
        if reader.unsettled.contains(viewer.context) {
            reader.metrics.unsettled.increment()
            return nil
        }
        // Who is pulled is asked before the window is read: an author who is pushed again is pulled until every window
        // has what was not pushed.
        let sources = try await reader.caches.pulledSources(of: viewer)
        let stored: FeedRun?
        do {
            let slices = try await reader.windows.slices(
                of: user, below: cursor, count: limit, beside: asksBeside)
            stored = slices.home
            if asksBeside != nil { (asksBeside, foundBeside) = (nil, slices.other) }
        } catch let error as RedisError {
            reader.metrics.failed.increment()
            reader.logger.debug("window not readable", metadata: ["error": "\(error.message)"])
            return nil
        }
        guard let stored else {
            if isFirst { noteMiss(user, isFirstPage: cursor == .end) }
            return nil
        }
        if isFirst { reader.metrics.hits.increment() }
        if sources.isEmpty { return stored }
        return FeedRun.merged([stored, try await reader.caches.run(of: sources, below: cursor, limit: limit)])
    }

    private func noteMiss(_ user: UserID, isFirstPage: Bool) {
        if isFirstPage {
            reader.metrics.misses.increment()
            reader.requestBuild(user)
        } else {
            reader.metrics.deep.increment()
        }
    }
}
