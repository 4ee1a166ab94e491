import Database
import GraphServices
import Logging
import MediaJobs
import ServiceLifecycle
import SocialGraph

/// Removes files that nobody can see any more: uploads that no post or profile shows, files of deleted posts, and files
/// without a row that a killed process has left. Runs at the start, and every hour. Removes nothing of another graph,
/// whose files these may be after the database was emptied or exchanged.
package struct MediaSweeper: Service {
    /// Period at which unused files are looked for.
    static let interval = Duration.seconds(3600)
    /// Age up to which a file without a row may be an upload in progress, from its receipt until its row is committed.
    static let strayFileAge = Duration.seconds(3600)

    package let store: MediaService
    package let graph: GraphStore
    package let logger: Logger
    /// Throws while this node may not know of what others have committed.
    package let requireCurrent: @Sendable () throws -> Void
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64 = SystemClock.milliseconds

    package init(
        store: MediaService, graph: GraphStore, logger: Logger,
        requireCurrent: @escaping @Sendable () throws -> Void = {},
        now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds
    ) {
        self.store = store
        self.graph = graph
        self.logger = logger
        self.requireCurrent = requireCurrent
        self.now = now
    }

    private static let filesAtOnce = 200

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var round = 0
            while !Task.isCancelled {
                do {
                    try await sweep(isListing: round % store.storage.roundsBetweenListings == 0)
                    round += 1
                } catch {
                    logger.warning("a sweep of files was interrupted", metadata: [LogKeys.error: "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Runs one round. The row goes first: the next round finds a file without a row, but a row without its file would
    /// be visible.
    ///
    /// - Parameter isListing: true if the round also looks for files without a row.
    func sweep(isListing: Bool = true) async throws {
        try await store.storage.confirm()
        let age = RequestLimits.unusedFileAge.components.seconds * 1000
        var removed = 0
        var cursor: MediaID?
        repeat {
            let page = try await graph.media.unusedMedia(
                above: cursor, storedBefore: now() - age, limit: Self.filesAtOnce)
            for media in page.unused where try await graph.media.deleteMedia(media.id) {
                try await store.remove(media.id, named: media.fileName)
                removed += 1
            }
            cursor = page.next
        } while cursor != nil
        if isListing { removed += try await sweepStrays() }
        if removed > 0 { logger.info("unused files removed", metadata: [LogKeys.count: "\(removed)"]) }
    }

    private func sweepStrays() async throws -> Int {
        let age = Self.strayFileAge.components.seconds * 1000
        var removed = 0
        var cursor: String?
        repeat {
            let page = try await store.removeStrays(at: cursor, reservedBefore: now() - age, requireCurrent)
            removed += page.removed
            cursor = page.next
        } while cursor != nil
        return removed
    }
}
