import Database
import GraphHTTP
import GraphServices
import SocialGraph
import Synchronization

/// The server's own metrics of the last minute, or of the time since the previous request for them.
package final class Dashboard: Sendable {
    private static let span: Int64 = 60_000
    /// Shortest time between two kept readings.
    private static let step: Int64 = 1_000
    private static let routes = 50

    private struct State {
        var samples: [DashboardSample]
        var audited: (windows: Double, at: Int64?) = (0, nil)
    }

    private let metrics: PrometheusRegistry
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    /// `now`: milliseconds since 1970.
    package init(metrics: PrometheusRegistry, now: @escaping @Sendable () -> Int64 = SystemClock.milliseconds) {
        self.metrics = metrics
        self.now = now
        state = Mutex(State(samples: [DashboardSample(metrics, at: now())]))
    }

    func figures() -> DashboardFigures {
        let sample = DashboardSample(metrics, at: now())
        let (base, checkedAt) = state.withLock { state in
            if sample.audited > state.audited.windows { state.audited = (sample.audited, sample.time) }
            // The newest reading stays, however old: it covers the time since the previous call.
            while state.samples.count > 1, state.samples[0].time < sample.time - Self.span {
                state.samples.removeFirst()
            }
            let base = state.samples[0]
            if let last = state.samples.last, sample.time - last.time >= Self.step { state.samples.append(sample) }
            return (base, state.audited.at)
        }
        return DashboardFigures(
            deliveriesPerSecond: (sample.deliveries - base.deliveries)
                / (Double(max(sample.time - base.time, 1)) / 1_000),
            hits: Int64(sample.hits - base.hits), misses: Int64(sample.misses - base.misses),
            checked: Int64(sample.audited), drifted: Int64(sample.drifted), checkedAt: checkedAt,
            latencies: Self.latencies(sample, since: base))
    }

    /// Returns the latencies of the busiest routes.
    private static func latencies(
        _ sample: DashboardSample, since base: DashboardSample
    ) -> [DashboardFigures.Latency] {
        let all = sample.routes.compactMap { route, histogram -> DashboardFigures.Latency? in
            let recent = histogram.since(base.routes[route])
            guard recent.total > 0 else { return nil }
            func milliseconds(_ share: Double) -> Double { (recent.quantile(share) * 10_000_000).rounded() / 10_000 }
            return DashboardFigures.Latency(
                route: route, p50: milliseconds(0.5), p90: milliseconds(0.9), p99: milliseconds(0.99),
                count: Int64(recent.total))
        }
        return Array(all.sorted { ($1.count, $0.route) < ($0.count, $1.route) }.prefix(routes))
    }
}

/// The figures on a dashboard.
struct DashboardFigures: Sendable, Equatable {
    /// The latency of one route, in milliseconds.
    struct Latency: Sendable, Equatable {
        let route: String
        let p50: Double
        let p90: Double
        let p99: Double
        let count: Int64
    }

    let deliveriesPerSecond: Double
    /// Home pages served from windows, and others.
    let hits: Int64
    let misses: Int64
    /// Number of windows audited, and of those found wrong, since the server started.
    let checked: Int64
    let drifted: Int64
    /// Time of the latest audit seen, in milliseconds since 1970.
    let checkedAt: Int64?
    let latencies: [Latency]
}
