import Coordination
import Logging
import SocialGraph

/// Builds the filter windows requested by reads.
struct FilterWindowBuilder: Sendable {
    /// Maximum number of concurrent builds.
    static let concurrentBuilds = 4

    let reader: HomeReader
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        await reader.filterWindows.requests.run(concurrency: Self.concurrentBuilds, atOnce: 1) { keys in
            do {
                for key in keys { try await build(key) }
            } catch is CancellationError {
                return
            } catch {
                logger.debug("filter window could not be built", metadata: ["error": "\(error)"])
            }
        }
    }

    private func build(_ key: FilterWindows.Key) async throws {
        let sources = reader.sources
        // In this order: events after the mark end the window, and posts published after the ceiling stand above it.
        let mark = reader.filterWindows.mark
        let ceiling = try await sources.feeds.latestPosition()
        // A reshare ends no window, so the caches must know those up to the ceiling.
        try await sources.follower.catchUp()
        let viewer = try await sources.caches.viewer(key.viewer)
        let rule = VisibilityRule(context: viewer.context)
        var source = FilteredHomeSource(
            home: HomeSource(sources, of: viewer), windows: reader.filterWindows, filter: key.filter)
        var entries: [FeedEntry] = []
        var cursor = FeedPosition(rawValue: ceiling.rawValue + 1)
        var examined = 0
        while entries.count < FilterWindows.length, cursor != .beginning,
            examined < reader.examinedRows
        {
            try Task.checkCancellation()
            let slice = try await source.deep(below: cursor)
            examined += max(slice.examined, 1)
            for item in try await sources.caches.homeItems(of: slice.entries, rule, key.filter) {
                entries.append(FeedEntry(position: item.position, post: item.post.id))
            }
            cursor = slice.end
        }
        let isWhole = cursor == .beginning && entries.count <= FilterWindows.length
        try await reader.filterWindows.store(
            Array(entries.prefix(FilterWindows.length)), isWhole: isWhole, ceiling: ceiling, mark: mark,
            expiry: viewer.context.nextExpiry, as: key)
    }
}
