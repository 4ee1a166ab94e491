import Algorithms
import CoreMetrics
import Logging
import SocialGraph

/// Builds the windows of readers who were answered from SQLite because theirs was cold or lost.
final class WindowBuilder: Sendable {
    /// Readers that may wait for their window.
    static let queueLength = 65_536
    /// Builds under way at a time.
    static let concurrentBuilds = 4
    /// Builds that read SQLite at a time. It has few readers, and pages need them, too.
    static let concurrentSnapshots = 2

    private let requests = RequestQueue<UserID>(capacity: WindowBuilder.queueLength)
    private let snapshots = ConcurrencyLimit(WindowBuilder.concurrentSnapshots)
    private let graph: any FanoutGraph
    private let windows: WindowWriter
    private let grace: GracePeriod
    private let locks: ViewerLocks
    private let metrics: TimelineMetrics
    private let logger: Logger
    private let catchUp: @Sendable () async throws -> Void

    init(
        graph: any FanoutGraph, windows: WindowWriter, grace: GracePeriod, locks: ViewerLocks, metrics: TimelineMetrics,
        logger: Logger, catchUp: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.catchUp = catchUp
        self.graph = graph
        self.windows = windows
        self.grace = grace
        self.locks = locks
        self.metrics = metrics
        self.logger = logger
    }

    /// Readers waiting for their window.
    var pending: Int { requests.pending }

    /// Asks for the window of `viewer`.
    func request(_ viewer: UserID) { requests.request(viewer) }

    /// Until the task is cancelled.
    func run() async {
        await requests.run(
            concurrency: Self.concurrentBuilds, atOnce: WindowWriter.windowsPerBuild, buildRequested)
    }

    /// Builds the windows of `viewers`, replacing those that are there.
    func build(_ viewers: [UserID]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            for part in Self.parts(of: viewers) {
                // One part reads SQLite while another waits for Redis.
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

    /// Builds anew those windows of `viewers` that there are: until that has succeeded, as what is there is not right.
    func refresh(_ viewers: [UserID]) async throws {
        for part in Self.parts(of: viewers) {
            var lost = part
            repeat {
                try Task.checkCancellation()
                lost = try await build(lost, replacing: true)
            } while !lost.isEmpty
        }
    }

    private static func parts(of viewers: [UserID]) -> [[UserID]] {
        viewers.chunks(ofCount: WindowWriter.windowsPerBuild).map(Array.init)
    }

    /// Returns those whose build was lost.
    @discardableResult
    private func build(_ viewers: [UserID], replacing: Bool) async throws -> [UserID] {
        let viewers = Set(viewers).sorted()
        return try await locks.withLocks(viewers) {
            try await grace.during {
                let outcomes = try await windows.build(viewers, replacing: replacing) {
                    [graph, windows, snapshots, catchUp] begun in
                    let entries = try await snapshots.run {
                        try await graph.windowEntries(of: begun, limit: windows.depth.cap)
                    }
                    // Who is a hub in there must be known to reads before the window is one of theirs.
                    try await catchUp()
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
