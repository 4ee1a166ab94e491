import GraphHTTP
import GraphServices

/// The metrics for a dashboard, at one time.
struct DashboardSample: Sendable {
    /// Milliseconds since 1970.
    let time: Int64
    let deliveries: Double
    let hits: Double
    let misses: Double
    let audited: Double
    let drifted: Double
    /// The latencies by method and route.
    let routes: [String: LatencyHistogram]

    init(_ metrics: PrometheusRegistry, at time: Int64) {
        func sum(_ name: String, where isWanted: (String) -> Bool = { _ in true }) -> Double {
            metrics.series(of: name).reduce(0) { sum, series in
                guard isWanted(series.key), let counter = series.value as? PrometheusCounter else { return sum }
                return sum + counter.value
            }
        }
        self.time = time
        deliveries = sum(MetricNames.deliveries)
        hits = sum(MetricNames.windowReads) { $0.contains("outcome=\"hit\"") }
        misses = sum(MetricNames.windowReads) { !$0.contains("outcome=\"hit\"") }
        audited = sum(MetricNames.auditedWindows)
        drifted = sum(MetricNames.driftedWindows)
        var routes: [String: LatencyHistogram] = [:]
        for (labels, series) in metrics.series(of: MetricNames.httpRequestDuration) {
            guard let histogram = series as? PrometheusHistogram, let method = Self.label("method", in: labels),
                let route = Self.label("route", in: labels)
            else { continue }
            routes["\(method) \(route)", default: LatencyHistogram()].add(histogram)
        }
        self.routes = routes
    }

    private static func label(_ name: String, in labels: String) -> String? {
        let parts = labels.split(separator: "\"", omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(where: { $0 == "\(name)=" || $0 == ",\(name)=" }), index + 1 < parts.count
        else { return nil }
        return String(parts[index + 1])
    }
}

/// A distribution of request durations.
struct LatencyHistogram: Sendable {
    /// Upper bounds in seconds, ascending.
    private var bounds: [Double] = []
    /// One more than `bounds`.
    private var counts: [UInt64] = []

    init() {}

    init(bounds: [Double], counts: [UInt64]) {
        self.bounds = bounds
        self.counts = counts
    }

    var total: UInt64 { counts.reduce(0, +) }

    mutating func add(_ other: PrometheusHistogram) {
        let added = other.buckets
        if counts.isEmpty { (bounds, counts) = (added.bounds, Array(repeating: 0, count: added.counts.count)) }
        guard bounds == added.bounds else { return }
        for (index, count) in added.counts.enumerated() { counts[index] += count }
    }

    /// Returns the counts since `earlier`.
    func since(_ earlier: LatencyHistogram?) -> LatencyHistogram {
        guard let earlier, earlier.bounds == bounds else { return self }
        return LatencyHistogram(bounds: bounds, counts: zip(counts, earlier.counts).map { $0 - min($0, $1) })
    }

    /// Returns the longest time, in seconds, of the fastest `share` of requests. Values are assumed to be spread evenly
    /// within a bucket.
    func quantile(_ share: Double) -> Double {
        let wanted = share * Double(total)
        var below: Double = 0
        for (index, count) in counts.enumerated() where count > 0 {
            guard index < bounds.count else { break }
            let lower = index > 0 ? bounds[index - 1] : 0
            if below + Double(count) >= wanted {
                return lower + (bounds[index] - lower) * (wanted - below) / Double(count)
            }
            below += Double(count)
        }
        return bounds.last ?? 0
    }
}
