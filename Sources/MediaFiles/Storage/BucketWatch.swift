import GraphServices
import Logging
import Metrics
import ObjectStorage
import ServiceLifecycle

/// Looks every few seconds whether the store of files answers, for readiness and a metric.
package struct BucketWatch: Service {
    static let interval = Duration.seconds(10)

    private let bucket: MediaBucket
    private let logger: Logger
    private let interval: Duration
    private let isUp = Meter(label: MetricNames.mediaUp)

    package init(_ bucket: MediaBucket, logger: Logger, interval: Duration = BucketWatch.interval) {
        self.bucket = bucket
        self.logger = logger
        self.interval = interval
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var former: MediaBucket.Fault?
            while !Task.isCancelled {
                await bucket.look()
                let fault = bucket.fault
                isUp.set(fault == nil ? 1 : 0)
                if fault != former, !Task.isCancelled { tell(fault) }
                former = fault
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func tell(_ fault: MediaBucket.Fault?) {
        guard let fault else { return logger.notice("the store of files answers again") }
        logger.warning("the store of files does not answer", metadata: [LogKeys.reason: "\(fault.reason)"])
    }
}

extension MediaBucket.Fault {
    var reason: String {
        switch self {
        case .unreachable(let error): error.description
        case .foreign: "it belongs to another graph"
        }
    }
}

extension MediaBucket {
    /// The fault that readiness reports.
    package var problems: [ReadinessProblem] {
        guard let fault else { return [] }
        return [
            .init(
                code: .mediaDown,
                detail: "The store of files (\(store.address)) does not answer: \(fault.reason). Uploads and files are "
                    + "answered 503 until it does. Everything else is served.", isSevere: false)
        ]
    }
}
