import Logging
import Metrics
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices

@Suite(.timeLimit(.unit))
struct PrometheusRegistryTests {
    @Test func `concurrent increments add up`() async throws {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "test.total", dimensions: [("a", "b")], factory: registry)
        let timer = Timer(label: "test_seconds", dimensions: [], factory: registry)
        let meter = Meter(label: "test_depth", factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20_000 {
                        counter.increment()
                        timer.recordMilliseconds(2)
                        meter.increment()
                    }
                }
            }
        }
        let samples = try PrometheusParser(registry.render()).samples
        #expect(samples["test_total{a=b}"] == 160_000)
        #expect(samples["test_depth"] == 160_000)
        #expect(samples["test_seconds_count"] == 160_000)
        #expect(samples["test_seconds_bucket{le=0.001}"] == 0)
        #expect(samples["test_seconds_bucket{le=0.0025}"] == 160_000)
        #expect(samples["test_seconds_bucket{le=+Inf}"] == 160_000)
        #expect(abs((samples["test_seconds_sum"] ?? 0) - 320) < 1e-4)
    }

    @Test func `label values and help are escaped`() throws {
        var help = MetricNames.help
        help["t"] = "a\\b\nc"
        let registry = PrometheusRegistry(help: help)
        let value = "q\"uo\\te\nnew,line}="
        Counter(label: "t", dimensions: [("l-1", value)], factory: registry).increment(by: 2)
        let text = registry.render()
        #expect(text.contains("# HELP t a\\\\b\\nc\n"))
        #expect(try PrometheusParser(text).samples["t{l_1=\(value)}"] == 2)
    }

    @Test(arguments: [
        (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (3, "3"), (0.25, "0.25"), (-0.5, "-0.5"),
    ])
    func `gauges hold any number`(_ value: Double, _ written: String) {
        let registry = PrometheusRegistry()
        Gauge(label: "g", dimensions: [], factory: registry).record(value)
        #expect(registry.render().contains("# TYPE g gauge\ng \(written)\n"))
    }

    @Test func `the same labels in any order are one series`() throws {
        let registry = PrometheusRegistry()
        Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment()
        Counter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment()
        #expect(try PrometheusParser(registry.render()).samples["c{a=1,b=2}"] == 2)
    }

    @Test func `the order is stable`() {
        let registry = PrometheusRegistry()
        for name in ["b", "a", "c"] {
            for label in ["2", "1"] {
                Counter(label: name, dimensions: [("l", label)], factory: registry).increment()
            }
        }
        let lines = registry.render().split(separator: "\n").filter { "abc".contains($0.first ?? "#") }
        let expected = ["a", "b", "c"].flatMap { ["\($0){l=\"1\"} 1", "\($0){l=\"2\"} 1"] }
        #expect(lines.prefix(6).map(String.init) == expected)
    }

    @Test func `label sets beyond the limit are refused with one warning`() throws {
        let log = RecordingLog(from: .warning)
        let logger = Logger(label: "t") { _ in log }
        let registry = PrometheusRegistry(maxNames: 2, maxSeriesPerName: 3, logger: logger)
        for index in 0..<10 {
            Counter(label: "c", dimensions: [("user", "\(index)")], factory: registry).increment()
        }
        Counter(label: "d", factory: registry).increment()
        Counter(label: "e", factory: registry).increment()
        Counter(label: "f", factory: registry).increment()
        Gauge(label: "d", dimensions: [], factory: registry).record(7)
        let samples = try PrometheusParser(registry.render()).samples
        #expect(samples.keys.filter { $0.hasPrefix("c{") }.sorted() == ["c{user=0}", "c{user=1}", "c{user=2}"])
        #expect(samples["d"] == 1)
        #expect(samples["e"] == nil)
        #expect(samples["metrics_refused_total"] == 10)
        let refused = log.entries.compactMap { $0.metadata["metric"] }
        #expect(refused.filter { $0 == "c" }.count == 1)
        #expect(refused.filter { $0 == "e" }.count == 1)
        #expect(!refused.contains("f"))
    }

    @Test func `a destroyed metric is gone`() throws {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "c", factory: registry)
        counter.increment()
        counter.destroy()
        #expect(try PrometheusParser(registry.render()).samples["c"] == nil)
    }

    @Test func `the process tells of itself`() throws {
        let samples = try PrometheusParser(PrometheusRegistry().render()).samples
        #expect((samples["process_resident_memory_bytes"] ?? 0) > 1_000_000)
        #expect((samples["process_open_fds"] ?? 0) >= 3)
        #expect((samples["process_cpu_seconds_total"] ?? -1) >= 0)
        #expect((samples["process_start_time_seconds"] ?? 0) > 1_600_000_000)
    }
}
