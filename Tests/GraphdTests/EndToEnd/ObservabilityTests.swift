import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// An operator's view: probes, metrics, logs.
@Suite(.serialized, .timeLimit(.process))
struct ObservabilityTests {
    @Test func `the probes say what they promise`() async throws {
        try await GraphdServer.running(in: .process) { server in
            try await server.waitForJobs()
            let alive = try await server.client().get("/healthz")
            #expect(alive.status == 200)
            let state = try await server.waitUntilReady {
                $0["redis"]?.text == "up" && $0["outbox"]?["pending"]?.number == 0
            }
            #expect(state.names.sorted() == ["database", "ffmpeg", "outbox", "redis", "status"])
            #expect(state["status"] == .string("ready") && state["database"] == .string("up"))
            #expect(state["redis"] == .string("up"))
            #expect(state["outbox"]?.names.sorted() == ["oldestSeconds", "pending"])
            #expect(state["outbox"]?["pending"] == .integer(0) && state["outbox"]?["oldestSeconds"] == .integer(0))
        }
    }

    @Test func `metrics parse and count what was done`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let (writer, client) = (server.client(author), server.client(reader))
            #expect(try await client.put("\(author.path)/follow").status == 204)
            try await server.waitForJobs()
            func reads(_ outcome: String) async throws -> Double {
                try PrometheusParser(try await server.client().get("/metrics").text)
                    .samples["graphd_window_reads_total{outcome=\(outcome)}"] ?? 0
            }
            // A miss builds the window, deliveries go into it, and hits follow. A page that Redis does not answer in
            // time is neither.
            var pages = 0.0
            repeat {
                _ = try await client.page("/v1/timelines/home")
                pages += 1
            } while try await reads("miss") == 0
            try await server.waitForJobs()
            for _ in 0..<7 { _ = try await writer.publish() }
            try await server.waitForJobs()
            repeat {
                #expect(try await client.page("/v1/timelines/home").count == 7)
                pages += 1
            } while try await reads("hit") < 4
            for _ in 0..<3 { #expect(try await client.get("/v1/posts/1").status == 404) }
            _ = try await client.get("/nowhere/at/all")

            var answer = try await server.client().get("/metrics")
            // Redis counts as down if it does not answer in time.
            while answer.text.contains("graphd_redis_up 0") { answer = try await server.client().get("/metrics") }
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let samples = try PrometheusParser(answer.text).samples
            func requests(_ method: String, _ route: String, _ status: String) -> Double? {
                samples.first { name, _ in
                    name.hasPrefix("http_requests_total{") && name.contains("method=\(method)")
                        && name.contains("route=\(route)") && name.contains("status=\(status)")
                }?.value
            }
            #expect(requests("POST", "/v1/posts", "2xx") == 7)
            #expect(requests("GET", "/v1/posts/{id}", "4xx") == 3)
            #expect(requests("GET", "unmatched", "4xx") == 1)
            #expect(requests("GET", "/v1/timelines/home", "2xx") == pages)
            #expect(samples["graphd_deliveries_total"] == 7)
            #expect(samples["graphd_window_rebuilds_total"] == 1)
            #expect(samples["graphd_window_reads_total{outcome=hit}"] == 4)
            #expect(samples["graphd_window_reads_total{outcome=miss}"] == 1)
            #expect(samples["graphd_redis_up"] == 1 && samples["graphd_outbox_pending"] == 0)
            #expect(samples["graphd_outbox_oldest_seconds"] == 0)
            let latencies = samples.filter { $0.key.hasPrefix("http_request_duration_seconds_count") }.values
            let all = samples.filter { $0.key.hasPrefix("http_requests_total{") }.values
            #expect(latencies.reduce(0, +) == all.reduce(0, +))
            #expect(!answer.text.contains(String(author.id.rawValue)))
        }
    }

    @Test func `logs are one object a line and hold no secret`() async throws {
        try await GraphdServer.prepared(["--log-level", "trace"], in: .process) { server in
            try await server.start()
            let secrets = ["hunter2hunter2", "secret.person@example.org", "wrong.password.1"]
            let client = server.client()
            let signup = try await client.post(
                "/v1/auth/signup",
                #"{"email":"\#(secrets[1])","password":"\#(secrets[0])","username":"secretive"}"#)
            let token = try #require(try signup.json["token"]?.text)
            for body in [
                #"{"email":"\#(secrets[1])","password":"\#(secrets[2])"}"#,
                #"{"email":"\#(secrets[1])","password":"\#(secrets[0])","x":1}"#, #"{"email":"\#(secrets[1])"#,
            ] {
                _ = try await client.post("/v1/auth/login", body)
                _ = try await client.post("/v1/auth/signup", body)
            }
            _ = try await client.post(
                "/v1/auth/signup", #"{"email":"\#(secrets[1])","password":"\#(secrets[0])","username":"another"}"#)
            for forged in [token + "x", String(token.dropLast(4)) + "AAAA", "Bearer \(token)"] {
                _ = try await server.client(token: forged).get("/v1/me")
            }
            let me = try await server.client(token: token).send("GET", "/v1/me", headers: [("X-Request-Id", "find.me")])
            #expect(me.status == 200)
            _ = try await server.client(token: token).get("/v1/me?token=\(token)&email=\(secrets[1])")
            #expect(await server.stop() == .exited(0))

            let lines = server.logLines
            #expect(lines.count > 10)
            for line in lines {
                let object = try JSONReader.read(Array(line.utf8))
                for key in ["ts", "level", "label", "message"] { #expect(object[key]?.text != nil, "\(line)") }
                for secret in secrets + [token, String(token.suffix(40)), "secret.person"] {
                    #expect(!line.lowercased().contains(secret.lowercased()), "\(line)")
                }
            }
            #expect(lines.contains { $0.contains("find.me") && $0.contains("\"status\":200") })
        }
    }
}
