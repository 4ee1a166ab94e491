import Logging
import Metrics
import Synchronization

/// A backend of swift-metrics that keeps every metric in memory and renders them all as Prometheus text.
///
/// Recording touches atomics only; the lock guards creation, destruction and rendering. The number of names, and of
/// label sets of one name, is limited. Metrics beyond the limit are not recorded; they are counted in
/// `metrics_refused_total` and logged once as a warning.
package final class PrometheusRegistry: MetricsFactory {
    /// Upper bounds in seconds, for timers.
    static let defaultSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Upper bounds without unit, for recorders.
    static let defaultAmounts: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000]

    private enum Kind: String {
        case counter, gauge, histogram
    }

    private struct Family {
        let kind: Kind
        /// The series by rendered labels.
        var series: [String: any PrometheusSeries] = [:]
        var warned = false
    }

    private struct State {
        var families: [String: Family] = [:]
        var warned = false
    }

    private let state = Mutex(State())
    private let help: [String: String]
    private let buckets: [String: [Double]]
    private let maxNames: Int
    private let maxSeriesPerName: Int
    private let logger: Logger
    private let refused = PrometheusCounter()

    /// - Parameters:
    ///   - help: help texts by metric name.
    ///   - buckets: upper bounds by metric name, if the default ones do not suit.
    ///   - maxNames: largest number of metrics.
    ///   - maxSeriesPerName: largest number of label sets of one metric.
    package init(
        help: [String: String] = MetricNames.help,
        buckets: [String: [Double]] = [:],
        maxNames: Int = 500,
        maxSeriesPerName: Int = 1000,
        logger: Logger = Logger(label: "graphd.metrics")
    ) {
        self.help = help
        self.buckets = buckets
        self.maxNames = maxNames
        self.maxSeriesPerName = maxSeriesPerName
        self.logger = logger
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        register(.counter, label, dimensions) { _ in PrometheusCounter() }
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        register(.counter, label, dimensions) { _ in PrometheusCounter() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        register(.gauge, label, dimensions) { _ in PrometheusGauge() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            register(.histogram, label, dimensions) {
                PrometheusHistogram(bounds: buckets[$0] ?? Self.defaultAmounts)
            }
        } else {
            register(.gauge, label, dimensions) { _ in PrometheusGauge() }
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        register(.histogram, label, dimensions) {
            PrometheusHistogram(bounds: buckets[$0] ?? Self.defaultSeconds)
        }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// Returns the series of one metric, by their rendered labels.
    package func series(of name: String) -> [String: any PrometheusSeries] {
        state.withLock { $0.families[name]?.series ?? [:] }
    }

    /// Renders all metrics and those of the process, ordered by name and then by labels.
    package func render() -> String {
        var text = PrometheusText()
        let families = state.withLock { $0.families }
        for (name, family) in families.sorted(by: { $0.key < $1.key }) where !family.series.isEmpty {
            text.header(name, type: family.kind.rawValue, help: help[name] ?? "\(name), without a description.")
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.render(name: name, labels: labels, into: &text)
            }
        }
        text.header(MetricNames.refusedSeries, type: "counter", help: help[MetricNames.refusedSeries] ?? "")
        refused.render(name: MetricNames.refusedSeries, labels: "", into: &text)
        BuildInfo.render(help: help, into: &text)
        ProcessMetrics.read().render(help: help, into: &text)
        return text.text
    }
}

extension PrometheusRegistry {
    private enum Refusal {
        case none, silent, warn
    }

    /// Returns the metric of this name and labels; creates it if it is new. A metric beyond the limit works but is not
    /// rendered.
    private func register<Series: PrometheusSeries>(
        _ kind: Kind, _ label: String, _ dimensions: [(String, String)], make: (String) -> Series
    ) -> Series {
        let name = PrometheusText.metricName(label)
        let labels =
            dimensions
            .map { PrometheusText.label($0.0, $0.1) }
            .sorted()
            .joined(separator: ",")
        let (series, refusal) = state.withLock { state -> (Series, Refusal) in
            if let known = state.families[name]?.series[labels] as? Series {
                return (known, .none)
            }
            let made = make(name)
            let refusal = admit(made, kind, name, labels, &state)
            return (made, refusal)
        }
        if refusal != .none {
            refused.increment(by: Int64(1))
        }
        if refusal == .warn {
            logger.warning("metric refused", metadata: [LogKeys.metric: .string(name)])
        }
        return series
    }

    private func admit(
        _ series: any PrometheusSeries, _ kind: Kind, _ name: String, _ labels: String, _ state: inout State
    ) -> Refusal {
        guard var family = state.families[name] ?? (state.families.count < maxNames ? Family(kind: kind) : nil) else {
            defer { state.warned = true }
            return state.warned ? .silent : .warn
        }
        guard family.kind == kind, family.series.count < maxSeriesPerName, family.series[labels] == nil else {
            defer { state.families[name]?.warned = true }
            return family.warned ? .silent : .warn
        }
        family.series[labels] = series
        state.families[name] = family
        return .none
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                if let labels = family.series.first(where: { $0.value === handler })?.key {
                    state.families[name]?.series[labels] = nil
                    return
                }
            }
        }
    }
}
