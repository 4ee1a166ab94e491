import Foundation
import HTTPMiddleware
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// A collector of traces, which takes OTLP/HTTP in its JSON encoding.
final class SpanCollector: Sendable {
    struct Span: Sendable {
        let trace: String
        let id: String
        let parent: String?
        let name: String
        let attributes: [String: JSONValue]
    }

    private let state = Mutex<(spans: [Span], texts: [String])>(([], []))
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

    var spans: [Span] { state.withLock { $0.spans } }
    /// The bodies of all requests.
    var text: String { state.withLock { $0.texts.joined(separator: "\n") } }

    /// Runs `body` with the base URL of the collector.
    func running<T: Sendable>(_ body: @Sendable (String) async throws -> T) async throws -> T {
        let router = Router()
        router.post("/v1/traces") { request, _ in
            #expect(request.headers[.contentType] == "application/json")
            let bytes = Array(buffer: try await request.body.collect(upTo: 4 << 20))
            try self.take(bytes)
            return "{}"
        }
        let application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        return try await application.test(.live) { client in
            try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    /// Returns the spans once `isComplete`.
    func spans(once isComplete: ([Span]) -> Bool) async -> [Span] {
        if isComplete(spans) { return spans }
        for await _ in arrivals where isComplete(spans) { break }
        return spans
    }

    private func take(_ bytes: [UInt8]) throws {
        let spans = try JSONReader.read(bytes)["resourceSpans"]?.entries?.flatMap { resource in
            (resource["scopeSpans"]?.entries ?? []).flatMap { $0["spans"]?.entries ?? [] }
        }
        let read = (spans ?? []).map { span in
            let attributes = (span["attributes"]?.entries ?? []).map { attribute in
                (attribute["key"]?.text ?? "", attribute["value"] ?? .null)
            }
            return Span(
                trace: span["traceId"]?.text ?? "", id: span["spanId"]?.text ?? "", parent: span["parentSpanId"]?.text,
                name: span["name"]?.text ?? "", attributes: Dictionary(attributes) { $1 })
        }
        state.withLock { state in
            state.spans += read
            state.texts.append(String(decoding: bytes, as: UTF8.self))
        }
        arrival.yield()
    }
}
