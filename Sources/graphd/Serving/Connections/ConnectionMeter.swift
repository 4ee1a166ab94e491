import CoreMetrics
import GraphServices
import Logging
import Synchronization

/// Reports connections: metrics for each, and occasional log lines if some are refused.
final class ConnectionMeter: Sendable {
    private struct Refusals {
        var count = 0
        var toldAt: ContinuousClock.Instant?
    }

    private static let pause = Duration.seconds(10)

    private let logger: Logger
    private let open = Meter(label: MetricNames.connectionsOpen)
    private let refused: [ConnectionLimiter.Refusal: Counter]
    private let overdue: [ConnectionPatience.Overdue: Counter]
    private let count = Atomic<Int>(0)
    private let refusals = Mutex(Refusals())

    init(logger: Logger, factory: any MetricsFactory) {
        self.logger = logger
        refused = Dictionary(
            uniqueKeysWithValues: ConnectionLimiter.Refusal.allCases.map {
                let labels = [("reason", $0.rawValue)]
                return ($0, Counter(label: MetricNames.connectionsRefused, dimensions: labels, factory: factory))
            })
        overdue = Dictionary(
            uniqueKeysWithValues: ConnectionPatience.Overdue.allCases.map {
                let labels = [("reason", $0.rawValue)]
                return ($0, Counter(label: MetricNames.connectionsOverdue, dimensions: labels, factory: factory))
            })
    }

    func opened() { open.set(count.add(1, ordering: .relaxed).newValue) }
    func closed() { open.set(count.subtract(1, ordering: .relaxed).newValue) }

    func overdue(_ what: ConnectionPatience.Overdue) { overdue[what]?.increment() }

    func refused(_ why: ConnectionLimiter.Refusal) {
        refused[why]?.increment()
        let now = ContinuousClock.now
        let told: Int? = refusals.withLock { refusals in
            refusals.count += 1
            if let last = refusals.toldAt, last.duration(to: now) < Self.pause { return nil }
            defer { refusals.count = 0 }
            refusals.toldAt = now
            return refusals.count
        }
        guard let told else { return }
        logger.warning(
            "connections refused", metadata: [LogKeys.count: "\(told)", LogKeys.reason: "\(why.rawValue)"])
    }
}
