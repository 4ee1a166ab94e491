import ServiceTestSupport
import StrictJSON
import TestSupport
import Testing
import Tracing
import TracingExport
import TracingSpans

@Suite(.timeLimit(.unit))
struct SpanEncodingTests {
    @Test func `spans are written as OTLP wants them in JSON`() async throws {
        let tracer = SpanTracer(ratio: 1)
        let caller = SpanIdentity(
            trace: TraceID(high: 1, low: 0xAB), span: 0xC, isSampled: true, state: "vendor=\"1\"")
        await tracer.record("GET /v1/me", under: caller, kind: .server) { span in
            span.attributes["count"] = 7
            span.attributes["share"] = 0.5
            span.attributes["yes"] = true
            span.attributes["text"] = "a\"b"
            span.addEvent("retry")
            span.addLink(span)
            span.setStatus(.init(code: .error))
        }
        let body = SpanEncoding.body(tracer.buffer.take(), version: "1.2.3", instance: "i")
        let resource = try #require(try JSONReader.read(body)["resourceSpans"]?.entries?.first)
        #expect(
            resource["resource"]?["attributes"]?.entries?.compactMap { $0["value"]?["stringValue"]?.text } == [
                "i", "graphd", "1.2.3",
            ])
        let span = try #require(resource["scopeSpans"]?.entries?.first?["spans"]?.entries?.first)
        #expect(span["traceId"]?.text == "000000000000000100000000000000ab")
        #expect(span["parentSpanId"]?.text == "000000000000000c")
        #expect(span["spanId"]?.text?.utf8.count == 16)
        #expect(span["traceState"]?.text == "vendor=\"1\"")
        #expect(span["name"]?.text == "GET /v1/me" && span["kind"] == .integer(2))
        #expect(span["startTimeUnixNano"]?.text.flatMap { UInt64($0) } ?? 0 > 1_600_000_000_000_000_000)
        #expect(span["status"]?["code"] == .integer(2))
        #expect(span["events"]?.entries?.first?["name"]?.text == "retry")
        #expect(span["links"]?.entries?.first?["spanId"] == span["spanId"])
        let values = span["attributes"]?.entries?.map { ($0["key"]?.text ?? "", $0["value"] ?? .null) } ?? []
        #expect(values.map(\.0) == ["count", "share", "text", "yes"])
        #expect(values.first?.1["intValue"] == .string("7"))
        #expect(values[1].1["doubleValue"] == .double(0.5) && values[2].1["stringValue"] == .string("a\"b"))
        #expect(values[3].1["boolValue"] == .bool(true))
    }
}
