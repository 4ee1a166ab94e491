import CoreMetrics
import DequeModule
import Logging
import SocialGraph
import Synchronization

/// Builds the windows of readers who were answered from SQLite because theirs was cold or lost.
final class WindowBuilder: Sendable {
    private struct Queue {
        var waiting: Deque<UserID> = []
        /// Waiting or being built.
        var known: Set<UserID> = []
    }

    private let queue = Mutex(Queue())
    private let wakeup = Wakeup()
    private let graph: any FanoutGraph
    private let windows: WindowWriter
    private let grace: GracePeriod
    private let locks: ViewerLocks
    private let metrics: TimelineMetrics
    private let logger: Logger

    init(
        graph: any FanoutGraph, windows: WindowWriter, grace: GracePeriod, locks: ViewerLocks, metrics: TimelineMetrics,
        logger: Logger
    ) {
        self.graph = graph
        self.windows = windows
        self.grace = grace
        self.locks = locks
        self.metrics = metrics
        self.logger = logger
    }

    /// Readers waiting for their window.
    var pending: Int { queue.withLock { $0.known.count } }

    /// Asks for the window of `viewer`. Forgotten where too many wait: the next read asks again.
    func request(_ viewer: UserID) {
        let isNew = queue.withLock { queue in
            guard queue.waiting.count < TimelineLimits.rebuildQueue, queue.known.insert(viewer).inserted else {
                return false
            }
            queue.waiting.append(viewer)
            return true
        }
        if isNew { wakeup.signal() }
    }

    /// Until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                guard let viewer = queue.withLock({ $0.waiting.popFirst() }) else {
                    await wakeup.wait(atMost: .seconds(1))
                    continue
                }
                if running == TimelineLimits.concurrentRebuilds {
                    await group.next()
                    running -= 1
                }
                group.addTask { await self.buildRequested(viewer) }
                running += 1
            }
        }
    }

    /// Builds the window of `viewer`, replacing one that is there.
    func build(_ viewer: UserID) async throws {
        try await locks.withLock(viewer) {
            try await grace.during {
                let isReady = try await windows.build(viewer) { [graph, windows] in
                    try await graph.homeFeed(of: viewer, below: nil, limit: windows.depth.cap)
                }
                if isReady { metrics.rebuilds.increment() }
            }
        }
    }

    private func buildRequested(_ viewer: UserID) async {
        defer { queue.withLock { _ = $0.known.remove(viewer) } }
        do {
            try await build(viewer)
        } catch is CancellationError {
            return
        } catch {
            logger.warning("window could not be built", metadata: ["user": "\(viewer.rawValue)", "error": "\(error)"])
        }
    }
}
