import GraphServices
import HTTPTypes
import Hummingbird
import Metrics
import Synchronization

/// Counts requests and their latency by method, route template and class of status.
///
/// Creating a metric requires a look-up by all its labels in the registry, so the handles are kept.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let statusClass: Int
    }

    private struct Handles: Sendable {
        let requests: Counter
        let duration: Timer
    }

    private let factory: any MetricsFactory
    private let handles = Mutex<[Key: Handles]>([:])

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    func record(method: HTTPRequest.Method, route: String, status: HTTPResponse.Status, duration: Duration) {
        let key = Key(method: Self.boundedName(of: method), route: route, statusClass: status.code / 100)
        let handles = handles.withLock { known in
            if let handles = known[key] {
                return handles
            }
            let made = makeHandles(key)
            known[key] = made
            return made
        }
        handles.requests.increment()
        handles.duration.recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }

    /// Returns a bounded label: a client can send any method name, and only the registered ones become labels.
    static func boundedName(of method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .delete, .patch, .options: method.rawValue
        default: "other"
        }
    }

    private func makeHandles(_ key: Key) -> Handles {
        let labels = [("method", key.method), ("route", key.route), ("status", "\(key.statusClass)xx")]
        return Handles(
            requests: Counter(label: MetricNames.httpRequests, dimensions: labels, factory: factory),
            duration: Timer(label: MetricNames.httpRequestDuration, dimensions: labels, factory: factory)
        )
    }
}
