import Algorithms
import Coordination
import CoreMetrics
import Logging
import SocialGraph

/// At most one builder for each window: builds of one reader's window are serialized.
typealias ViewerLocks = KeyedLocks<UserID>

/// Builds the windows of readers who were answered from SQLite because their window was missing or lost.
final class WindowBuilder: Sendable {
    /// Maximum number of readers queued for a build.
    static let queueLength = 65_536
    /// Maximum number of concurrent builds.
    static let concurrentBuilds = 4
    /// Maximum number of builds that read SQLite concurrently. SQLite has few readers, and pages need them, too.
    static let concurrentSnapshots = 2

    /// The requests for each shard, so that none waits for a shard that is down.
    private let requests: [RequestQueue<UserID>]
    private let snapshots = ConcurrencyLimit(WindowBuilder.concurrentSnapshots)
    private let graph: any FanoutGraph
    private let windows: WindowShards
    private let grace: GracePeriod
    private let locks: ViewerLocks
    private let metrics: TimelineMetrics
    private let logger: Logger
    private let catchUp: @Sendable (WindowShard) async throws -> Void

    init(
        graph: any FanoutGraph, windows: WindowShards, grace: GracePeriod, locks: ViewerLocks, metrics: TimelineMetrics,
        logger: Logger, catchUp: @escaping @Sendable (WindowShard) async throws -> Void = { _ in }
    ) {
        self.catchUp = catchUp
        self.graph = graph
        requests = windows.all.map { _ in RequestQueue(capacity: Self.queueLength / windows.count) }
        self.windows = windows
        self.grace = grace
        self.locks = locks
        self.metrics = metrics
        self.logger = logger
    }

    /// The number of readers queued for a build.
    var pending: Int { requests.reduce(0) { $0 + $1.pending } }

    /// Requests a build of the window of `viewer`.
    func request(_ viewer: UserID) {
        if windows.keeps(viewer) { requests[windows.index(of: viewer)].request(viewer) }
    }

    /// Runs until the task is cancelled.
    func run() async {
        let concurrency = (Self.concurrentBuilds + requests.count - 1) / requests.count
        await withTaskGroup(of: Void.self) { group in
            for queue in windows.kept.map({ requests[$0.number.index] }) {
                group.addTask {
                    await queue.run(
                        concurrency: concurrency, atOnce: WindowWriter.windowsPerBuild, self.buildRequested)
                }
            }
        }
    }

    /// Builds the windows of `viewers`, replacing existing ones.
    func build(_ viewers: [UserID]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            for part in parts(of: viewers) {
                // One half reads SQLite while the other waits for Redis.
                if running == Self.concurrentBuilds {
                    try await group.next()
                    running -= 1
                }
                group.addTask { _ = try await self.build(part, replacing: false) }
                running += 1
            }
            try await group.waitForAll()
        }
    }

    /// Rebuilds those windows of `viewers` that exist. Retries until it succeeds, because the existing windows are
    /// wrong.
    func rebuild(_ viewers: [UserID]) async throws {
        for part in parts(of: viewers) {
            var lost = part
            repeat {
                try Task.checkCancellation()
                lost = try await build(lost, replacing: true)
            } while !lost.isEmpty
        }
    }

    /// Viewers of one shard each.
    private func parts(of viewers: [UserID]) -> [[UserID]] {
        windows.parts(of: viewers).flatMap { shard in
            shard.chunks(ofCount: WindowWriter.windowsPerBuild).map(Array.init)
        }
    }

    /// Returns the viewers whose build was lost. All are of one shard.
    @discardableResult
    private func build(_ viewers: [UserID], replacing: Bool) async throws -> [UserID] {
        let viewers = Set(viewers).sorted()
        guard let first = viewers.first else { return [] }
        let shard = windows.shard(of: first)
        return try await locks.withLocks(viewers) {
            try await grace.during {
                let outcomes = try await shard.writer.build(viewers, replacing: replacing) {
                    [graph, snapshots, catchUp, limit = windows.depth.cap] begun in
                    let entries = try await snapshots.run {
                        try await graph.windowEntries(of: begun, limit: limit)
                    }
                    // Reads must know the hub authors of the snapshot before they use the window.
                    try await catchUp(shard)
                    return entries
                }
                metrics.rebuilds.increment(by: outcomes.count { $0 == .ready })
                return zip(viewers, outcomes).filter { $0.1 == .lost }.map(\.0)
            }
        }
    }

    @Sendable private func buildRequested(_ viewers: [UserID]) async {
        do {
            try await build(viewers, replacing: false)
        } catch is CancellationError {
            return
        } catch {
            logger.warning(
                "windows could not be built", metadata: ["windows": "\(viewers.count)", "error": "\(error)"])
        }
    }
}
