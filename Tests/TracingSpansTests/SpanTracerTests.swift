import TestSupport
import Testing
import Tracing

@testable import TracingSpans

@Suite(.timeLimit(.unit))
struct SpanTracerTests {
    private struct Secret: Error {
        let text = "hunter2"
    }

    @Test func `spans nest within a task and its children`() async throws {
        let tracer = SpanTracer(ratio: 1)
        #expect(SpanTracer.ambient == nil && SpanTracer.span == nil)
        await tracer.bind {
            #expect(SpanTracer.ambient === tracer && SpanTracer.span == nil)
            await tracer.withSpan("outer") { outer in
                #expect(SpanTracer.span == outer.identity)
                async let inner: Void = tracer.withSpan("inner") { _ in }
                await inner
            }
        }
        let spans = tracer.buffer.take()
        #expect(spans.map(\.name) == ["inner", "outer"])
        #expect(spans[0].parent == spans[1].identity.span && spans[1].parent == nil)
        #expect(spans[0].identity.trace == spans[1].identity.trace)
        #expect(spans.allSatisfy { $0.end >= $0.start && $0.start > 1_600_000_000_000_000_000 })
    }

    @Test func `a trace that is not sampled leaves no span and says so to others`() async {
        let tracer = SpanTracer(ratio: 0)
        tracer.withSpan("outer") { outer in
            #expect(!outer.identity.isSampled && !outer.isRecording && SpanTracer.span == nil)
            #expect(TraceParent.write(outer.identity).hasSuffix("-00"))
            tracer.withSpan("inner") { #expect(!$0.isRecording) }
        }
        #expect(tracer.buffer.take().isEmpty)
        await tracer.record("chosen", under: nil, kind: .server) { #expect($0.isRecording) }
        #expect(tracer.buffer.take().count == 1)
    }

    @Test func `an error leaves its type and not its text`() {
        let tracer = SpanTracer(ratio: 1)
        #expect(throws: Secret.self) { try tracer.withSpan("fails") { _ in throw Secret() } }
        let span = tracer.buffer.take()[0]
        #expect(span.isFailed)
        #expect(span.attributes.map(\.value) == [.text("Secret")])
    }

    @Test func `a span has bounded parts and ends once`() {
        let tracer = SpanTracer(ratio: 1)
        let span = tracer.startSpan("big")
        for index in 0..<100 {
            span.attributes["a\(index)"] = String(repeating: "x", count: 10_000)
            span.addEvent("event")
            span.addLink(span)
        }
        span.end()
        span.end()
        let spans = tracer.buffer.take()
        #expect(spans.count == 1)
        #expect(spans[0].attributes.count == RecordedSpan.maxAttributes)
        #expect(spans[0].events.count == RecordedSpan.maxEvents && spans[0].links.count == RecordedSpan.maxLinks)
        #expect(spans[0].attributes.allSatisfy { $0.value == .text(String(repeating: "x", count: 256)) })
    }

    @Test func `a full buffer drops and counts`() {
        let tracer = SpanTracer(ratio: 1, buffer: SpanBuffer(capacity: 3))
        for _ in 0..<10 { tracer.startSpan("a").end() }
        #expect(tracer.buffer.takeDropped() == 7 && tracer.buffer.takeDropped() == 0)
        #expect(tracer.buffer.take().count == 3)
    }

    @Test func `spans of jobs are bounded`() {
        let jobs = JobSpans()
        let span = SpanIdentity.first(isSampled: true)
        jobs.note(1...20_000, of: span)
        #expect(jobs.span(of: 1) == span && jobs.span(of: 20_000) == nil)
        jobs.remove(1)
        #expect(jobs.span(of: 1) == nil)
    }
}
