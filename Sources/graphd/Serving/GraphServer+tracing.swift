import GraphServices
import ServiceLifecycle
import TracingExport
import TracingSpans

extension GraphServer {
    /// A tracer, if the configuration names a collector.
    var tracer: SpanTracer? { configuration.traces.map { _ in SpanTracer(ratio: configuration.traceRatio) } }

    /// Returns the service that sends the spans of `tracer` to the collector.
    func exporter(of tracer: SpanTracer) -> any Service {
        let collector = TraceCollector(
            base: configuration.traces ?? "", version: BuildInfo.version,
            instance: UInt64.random(in: 0 ... .max).hexadecimal)
        return SpanExporter(buffer: tracer.buffer, logger: logger, send: collector.send)
    }
}
