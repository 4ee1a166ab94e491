import Coordination
import CoreMetrics
import SocialGraph

/// Windows whose tails are full, to be folded beside deliveries. A fold that is lost, by a crash or an error, is asked
/// for again by the next push to the window.
package final class FoldQueue: Sendable {
    /// Maximum number of windows that wait. A push that finds no room folds the window itself.
    static let capacity = 65_536
    /// Concurrent pipelines of folds: one is executed by Redis while the other is composed.
    static let concurrency = 2
    /// Time for which folds that few windows need wait for more, so that they share a wake-up and a pipeline.
    static let pause = Duration.milliseconds(20)

    /// That of a bucket of a cluster, which has few windows and waits longer for more of them.
    static var ofBucket: FoldQueue { FoldQueue(pause: .milliseconds(100)) }

    private let requests: RequestQueue<UserID>
    private let pause: Duration
    private let metrics: TimelineMetrics

    /// - Parameter capacity: the number of windows that may wait.
    package init(
        capacity: Int = FoldQueue.capacity, pause: Duration = FoldQueue.pause,
        metrics: TimelineMetrics = TimelineMetrics()
    ) {
        requests = RequestQueue(capacity: capacity)
        self.pause = pause
        self.metrics = metrics
    }

    /// The number of windows that wait or are being folded.
    var count: Int { requests.pending }

    /// Requests folds. Returns those of `viewers` for whom there is no room.
    func request(_ viewers: [UserID]) -> [UserID] {
        viewers.isEmpty ? [] : requests.request(contentsOf: viewers)
    }

    func isWaiting(_ viewer: UserID) -> Bool { requests.isKnown(viewer) }

    /// Takes up to `count` windows from the queue, as if their folds had been lost.
    func take(_ count: Int) -> [UserID] { requests.take(count, isLost: true) }

    /// Calls `fold` with the windows that wait until the task is cancelled.
    func run(_ fold: @escaping @Sendable ([UserID]) async -> Void) async {
        await requests.run(
            concurrency: Self.concurrency, atOnce: WindowWriter.windowsPerFold, pausing: pause
        ) { [metrics] viewers in
            await fold(viewers)
            metrics.foldsByQueue.increment(by: viewers.count)
        }
    }

    /// Counts folds that pushes have made themselves.
    func noteFoldsByPush(_ count: Int) { metrics.foldsByPush.increment(by: count) }
}
