import Database
import ServiceTestSupport
import StrictJSON
import TestSupport
import Testing

/// Traces of requests, as a collector receives them.
@Suite(.timeLimit(.process))
struct TracingTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "traceparent"

    @Test func `a post is one trace from the request to Redis`() async throws {
        let collector = SpanCollector()
        try await collector.running { url in
            try await GraphdServer.running(["--traces", url, "--trace-ratio", "0"], in: .process) { server in
                let (author, reader) = (try await server.person(), try await server.person())
                let follow = try await server.client(reader).put("\(author.path)/follow")
                #expect(follow.status == 204)
                // A reader with a window, which the post has to be added to.
                try await server.buildWindows([reader])
                // The caller is on this machine, so that its flag decides, whatever the ratio.
                let posted = try await server.client(author).send(
                    "POST", "/v1/posts",
                    body: Array(#"{"caption":"not in a span","mediaUrl":"https://example.org/v.mp4"}"#.utf8),
                    headers: [(Self.parent, "00-\(Self.trace)-00f067aa0ba902b7-01"), ("tracestate", "a=1")])
                #expect(posted.status == 201)
                let spans = await collector.spans { spans in
                    // The job ends after its commands to Redis.
                    spans.contains { $0.name == "job push" } && spans.contains { $0.name == "POST /v1/posts" }
                }
                #expect(spans.allSatisfy { $0.trace == Self.trace })
                func child(_ name: String, of parent: String) throws -> SpanCollector.Span {
                    try #require(
                        spans.first { $0.name.hasPrefix(name) && $0.parent == parent }, "\(name) of \(parent): \(spans)"
                    )
                }
                let request = try child("POST /v1/posts", of: "00f067aa0ba902b7")
                #expect(request.attributes["http.response.status_code"]?["intValue"] == .string("201"))
                #expect(request.attributes["http.route"]?["stringValue"] == .string("/v1/posts"))
                let transactions = spans.filter { $0.name == "transaction" && $0.parent == request.id }
                #expect(transactions.allSatisfy { $0.attributes["graphd.queue_wait_us"] != nil })
                let job = try #require(
                    spans.first { span in
                        span.name == "job push" && transactions.contains { $0.id == span.parent }
                    }, "\(spans)")
                _ = try child("redis", of: job.id)
                // The other requests left no span, and no span has anything of a user.
                #expect(spans.filter { $0.parent == nil }.isEmpty)
                for secret in [author.token, "not in a span", author.username, String(author.id.rawValue)] {
                    #expect(!collector.text.contains(secret))
                }
                // The log names the trace.
                _ = try await server.line { $0.contains("\"trace_id\":\"\(Self.trace)\"") }
            }
        }
    }

    @Test func `the ratio decides for callers elsewhere and a malformed parent begins a trace`() async throws {
        let collector = SpanCollector()
        try await collector.running { url in
            try await GraphdServer.running(["--traces", url, "--trace-ratio", "1"], in: .process) { server in
                let client = server.client()
                let elsewhere = [
                    ("X-Forwarded-For", "192.0.2.1"), (Self.parent, "00-\(Self.trace)-00f067aa0ba902b7-00"),
                ]
                _ = try await client.send("GET", "/healthz", headers: elsewhere)
                _ = try await client.send("GET", "/v1/me", headers: [(Self.parent, "00-\(Self.trace)-x-01")])
                let spans = await collector.spans { $0.contains { $0.name == "GET /v1/me" } }
                let me = try #require(spans.first { $0.name == "GET /v1/me" })
                #expect(me.parent == nil && me.trace != Self.trace)
                #expect(spans.contains { $0.name == "GET /healthz" && $0.trace == Self.trace })
            }
        }
    }

    @Test func `a collector that is down delays neither requests nor the end`() async throws {
        // Nobody listens at port 1.
        try await GraphdServer.running(
            ["--traces", "http://127.0.0.1:1", "--trace-ratio", "1"], in: .process
        ) { server in
            let author = try await server.person()
            for _ in 0..<20 { _ = try await server.client(author).publish() }
            _ = try await server.line { $0.contains("the collector of traces does not take spans") }
            let metrics = try PrometheusParser(try await server.client().get("/metrics").text).samples
            #expect(metrics["graphd_trace_spans_total{outcome=exported}"] == 0)
            #expect(await server.stop() == .exited(0))
        }
    }
}
