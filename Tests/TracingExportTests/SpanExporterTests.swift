import GraphServices
import Logging
import Metrics
import ServiceLifecycle
import ServiceTestSupport
import Synchronization
import TestSupport
import Testing
import Tracing
import TracingSpans

@testable import TracingExport

@Suite(.timeLimit(.unit))
struct SpanExporterTests {
    /// A collector that answers as it is told, and notes what it was sent.
    private final class Collector: Sendable {
        let answers: Mutex<[SpanExporter.Answer]>
        let batches = Mutex<[[String]]>([])
        let (asked, note) = AsyncStream.makeStream(of: Int.self)

        init(_ answers: [SpanExporter.Answer]) { self.answers = Mutex(answers) }

        @Sendable func send(_ spans: [FinishedSpan], within limit: Duration) async -> SpanExporter.Answer {
            batches.withLock { $0.append(spans.map(\.name)) }
            defer { note.yield(spans.count) }
            return answers.withLock { $0.isEmpty ? .taken : $0.removeFirst() }
        }
    }

    private func counts(_ registry: PrometheusRegistry) throws -> [String: Double] {
        let samples = try PrometheusParser(registry.render()).samples
        return ["exported", "refused", "dropped"].reduce(into: [:]) { counts, outcome in
            counts[outcome] = samples["graphd_trace_spans_total{outcome=\(outcome)}"]
        }
    }

    /// Runs an exporter until `body` returns, then shuts it down as a server does.
    private func running(
        _ collector: Collector, _ tracer: SpanTracer, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String: Double] {
        let registry = PrometheusRegistry()
        try await withMetricsFactory(registry) {
            let exporter = SpanExporter(buffer: tracer.buffer, logger: .silent, send: collector.send)
            let group = ServiceGroup(services: [exporter], logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                tasks.addTask {
                    try await body()
                    await group.triggerGracefulShutdown()
                }
                for try await _ in tasks {}
            }
        }
        return try counts(registry)
    }

    private func finish(_ count: Int, _ tracer: SpanTracer) {
        for index in 0..<count { tracer.startSpan("\(index)").end() }
    }

    @Test func `a full batch goes at once and the rest at the shutdown`() async throws {
        let (collector, tracer) = (Collector([]), SpanTracer(ratio: 1))
        let counts = try await running(collector, tracer) {
            finish(SpanBuffer.batch, tracer)
            _ = await collector.asked.first { _ in true }
            finish(3, tracer)
        }
        #expect(collector.batches.withLock { $0.map(\.count) } == [512, 3])
        #expect(counts == ["exported": 515, "refused": 0, "dropped": 0])
    }

    @Test func `a batch that is refused is not sent again`() async throws {
        let (collector, tracer) = (Collector([.refused]), SpanTracer(ratio: 1))
        let counts = try await running(collector, tracer) {
            finish(SpanBuffer.batch, tracer)
            _ = await collector.asked.first { _ in true }
        }
        #expect(collector.batches.withLock(\.count) == 1)
        #expect(counts == ["exported": 0, "refused": 512, "dropped": 0])
    }

    @Test func `a collector that is down blocks nobody and every lost span is counted`() async throws {
        let failures = [SpanExporter.Answer](repeating: .failed("down"), count: 100)
        let (collector, tracer) = (Collector(failures), SpanTracer(ratio: 1, buffer: SpanBuffer(capacity: 600)))
        let counts = try await running(collector, tracer) {
            finish(SpanBuffer.batch, tracer)
            _ = await collector.asked.first { _ in true }
            finish(10_000, tracer)
        }
        // The batch that was tried, 600 in the buffer, and the rest, which found no room.
        #expect(counts["exported"] == 0 && counts["refused"] == 0)
        #expect((counts["dropped"] ?? 0) >= 10_512 - 600)
    }

    @Test func `pauses grow and end at a minute`() {
        #expect((1...9).map { SpanExporter.pause(after: $0) } == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }
}
