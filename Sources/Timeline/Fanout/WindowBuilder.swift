import CoreMetrics
import Logging
import SocialGraph

/// Builds the windows of readers who were answered from SQLite because theirs was cold or lost.
final class WindowBuilder: Sendable {
    private let requests = RequestQueue<UserID>(capacity: TimelineLimits.rebuildQueue)
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
    func run() async { await requests.run(concurrency: TimelineLimits.concurrentRebuilds, buildRequested) }

    /// Builds the window of `viewer`, replacing one that is there.
    func build(_ viewer: UserID) async throws { _ = try await build(viewer, replacing: false) }

    /// Builds the window of `viewer` anew if there is one: until that has succeeded, as what is there is not right.
    func refresh(_ viewer: UserID) async throws {
        while try await build(viewer, replacing: true) == .lost { try Task.checkCancellation() }
    }

    private func build(_ viewer: UserID, replacing: Bool) async throws -> BuildOutcome {
        try await locks.withLock(viewer) {
            try await grace.during {
                let outcome = try await windows.build(viewer, replacing: replacing) { [graph, windows, catchUp] in
                    let entries = try await graph.windowEntries(of: viewer, limit: windows.depth.cap)
                    // Who is a hub in there must be known to reads before the window is one of theirs.
                    try await catchUp()
                    return entries
                }
                if outcome == .ready { metrics.rebuilds.increment() }
                return outcome
            }
        }
    }

    @Sendable private func buildRequested(_ viewer: UserID) async {
        do {
            try await build(viewer)
        } catch is CancellationError {
            return
        } catch {
            logger.warning("window could not be built", metadata: ["user": "\(viewer.rawValue)", "error": "\(error)"])
        }
    }
}
