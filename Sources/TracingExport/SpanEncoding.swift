import GraphAPI
import TracingSpans
import Tracing

/// Spans as a request body of OTLP/HTTP 1.x in its JSON encoding.
package enum SpanEncoding {
    /// - Parameters:
    ///   - version: the version of the program.
    ///   - instance: a name of this process, which tells it from others of the service.
    package static func body(_ spans: [FinishedSpan], version: String, instance: String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 512 + spans.count * 512)
        json.beginObject()
        json.key("resourceSpans")
        json.beginArray()
        json.beginObject()
        json.key("resource")
        json.beginObject()
        attributes(
            [
                ("service.name", .text("graphd")), ("service.version", .text(version)),
                ("service.instance.id", .text(instance)),
            ], to: &json)
        json.endObject()
        json.key("scopeSpans")
        json.beginArray()
        json.beginObject()
        json.key("scope")
        json.beginObject()
        json.member("name", "graphd")
        json.endObject()
        json.key("spans")
        json.beginArray()
        for span in spans { write(span, to: &json) }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ span: FinishedSpan, to json: inout JSONWriter) {
        json.beginObject()
        identity(span.identity, to: &json)
        if let parent = span.parent { json.member("parentSpanId", parent.hexadecimal) }
        json.member("name", span.name)
        json.member("kind", number(of: span.kind))
        // 64-bit numbers are strings in the JSON encoding of Protocol Buffers.
        json.member("startTimeUnixNano", String(span.start))
        json.member("endTimeUnixNano", String(span.end))
        attributes(span.attributes, to: &json)
        if !span.events.isEmpty {
            json.key("events")
            json.beginArray()
            for event in span.events {
                json.beginObject()
                json.member("name", event.name)
                json.member("timeUnixNano", String(event.time))
                json.endObject()
            }
            json.endArray()
        }
        if !span.links.isEmpty {
            json.key("links")
            json.beginArray()
            for link in span.links {
                json.beginObject()
                identity(link, to: &json)
                json.endObject()
            }
            json.endArray()
        }
        json.key("status")
        json.beginObject()
        if span.isFailed { json.member("code", 2) }
        json.endObject()
        json.endObject()
    }

    private static func identity(_ identity: SpanIdentity, to json: inout JSONWriter) {
        json.member("traceId", identity.trace.description)
        json.member("spanId", identity.span.hexadecimal)
        if !identity.state.isEmpty { json.member("traceState", identity.state) }
    }

    private static func attributes(_ attributes: [(name: String, value: FinishedSpan.Value)], to json: inout JSONWriter)
    {
        json.key("attributes")
        json.beginArray()
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            json.beginObject()
            json.member("key", attribute.name)
            json.key("value")
            json.beginObject()
            switch attribute.value {
            case .text(let text): json.member("stringValue", text)
            case .integer(let number): json.member("intValue", String(number))
            case .double(let number):
                json.key("doubleValue")
                json.raw(Array((number.isFinite ? "\(number)" : "0").utf8))
            case .flag(let flag): json.member("boolValue", flag)
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    private static func number(of kind: SpanKind) -> Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
