import Synchronization
import Tracing

/// A tracer of swift-distributed-tracing that keeps finished spans in a bounded buffer, from which an exporter takes
/// them. Only spans of a sampled trace are recorded.
///
/// A server that traces binds its tracer to its task (``bind(_:)``). What it then creates finds the tracer in
/// ``ambient`` and keeps it; without tracing that is nil, and tracing costs one branch.
package final class SpanTracer: Tracer {
    package typealias Span = RecordedSpan

    /// The share of new traces that are recorded.
    package let ratio: Double
    package let buffer: SpanBuffer
    package let jobs = JobSpans()

    /// - Parameter ratio: 0 to 1.
    package init(ratio: Double, buffer: SpanBuffer = SpanBuffer()) {
        (self.ratio, self.buffer) = (ratio, buffer)
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        var context = context()
        let parent = context.span
        let identity = parent?.child() ?? .first(isSampled: samples())
        context.span = identity
        return RecordedSpan(
            operationName, identity, parent: parent?.span, kind: kind, context: context,
            start: instant().nanosecondsSinceEpoch, buffer: identity.isSampled ? buffer : nil)
    }

    package func startAnySpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> any Tracing.Span {
        startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line
        )
    }

    package func forceFlush() { buffer.ring() }

    /// Returns whether a new trace is recorded.
    package func samples() -> Bool { ratio >= 1 || ratio > 0 && Double.random(in: 0..<1) < ratio }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.span = TraceParent.read(
            extractor.extract(key: "traceparent", from: carrier),
            state: extractor.extract(key: "tracestate", from: carrier))
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.span else { return }
        injector.inject(TraceParent.write(span), forKey: "traceparent", into: &carrier)
        if !span.state.isEmpty { injector.inject(span.state, forKey: "tracestate", into: &carrier) }
    }
}

extension SpanTracer {
    /// The tracer of the current task; nil without tracing.
    package static var ambient: SpanTracer? { InstrumentationContext.current?[TracerKey.self] }

    /// The span of the current task, if it is recorded.
    package static var span: SpanIdentity? {
        guard let span = InstrumentationContext.current?.span, span.isSampled else { return nil }
        return span
    }

    /// Runs `body` with this tracer as the ``ambient`` one of its task and the tasks within it.
    package func bind<T>(_ body: () async throws -> T) async rethrows -> T {
        var context = InstrumentationContext.current ?? .topLevel
        context[TracerKey.self] = self
        return try await InstrumentationContext.$current.withValue(context, operation: body)
    }

    /// Runs `body` in a recorded span under `parent`, or in the first span of a recorded trace if that is nil.
    package func record<T>(
        _ name: String, under parent: SpanIdentity?, kind: SpanKind, _ body: (RecordedSpan) async throws -> T
    ) async rethrows -> T {
        var context = InstrumentationContext.current ?? .topLevel
        let identity = parent?.child() ?? .first(isSampled: true)
        context.span = identity
        let span = RecordedSpan(
            name, identity, parent: parent?.span, kind: kind, context: context,
            start: DefaultTracerClock.now.nanosecondsSinceEpoch, buffer: buffer)
        defer { span.end() }
        return try await InstrumentationContext.$current.withValue(context) { try await body(span) }
    }
}

extension InstrumentationContext {
    package var span: SpanIdentity? {
        get { self[SpanKey.self] }
        set { self[SpanKey.self] = newValue }
    }
}

private enum TracerKey: InstrumentationContextKey {
    typealias Value = SpanTracer
}

private enum SpanKey: InstrumentationContextKey {
    typealias Value = SpanIdentity
}
