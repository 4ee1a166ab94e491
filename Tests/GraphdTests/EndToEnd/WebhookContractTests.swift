import Push
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Webhooks over HTTP, with a server that sends them to public addresses only.
@Suite(.timeLimit(.process))
struct WebhookContractTests {
    @Test func `a webhook is added, shown once, listed and removed`() async throws {
        try await GraphdServer.running(["--webhooks", "public"]) { server in
            let (person, other) = (try await server.person(), try await server.person())
            let (ann, bob) = (server.client(person), server.client(other))
            let added = try await ann.post(
                "/v1/me/webhooks", #"{"url":"https://1.1.1.1/a","events":["like","newVideo"]}"#)
            #expect(added.status == 201)
            #expect(try added.json["secret"]?.text?.hasPrefix("whsec_") == true)
            #expect(try added.json["events"] == .array([.string("like"), .string("newVideo")]))
            let id = try #require(try added.json["webhookId"]?.text)
            let listed = try #require(try await ann.get("/v1/me/webhooks").json["items"]?.entries?.first)
            #expect(listed.names == ["webhookId", "url", "events", "createdAt", "disabledAt"])
            #expect(try await ann.get("/v1/me/webhooks/\(id)/deliveries").text == #"{"items":[],"nextCursor":null}"#)
            for path in ["/v1/me/webhooks/\(id)/deliveries", "/v1/me/webhooks/7/deliveries"] {
                try await bob.get(path).expectProblem(404, "not_found")
            }
            try await ann.send("POST", "/v1/me/webhooks/\(id)/deliveries/7/retry").expectProblem(404, "not_found")
            try await bob.delete("/v1/me/webhooks/\(id)").expectProblem(404, "not_found")
            for noID in noIDs { try await ann.delete("/v1/me/webhooks/\(noID)").expectProblem(404, "not_found") }
            try await ann.act("DELETE", "/v1/me/webhooks/\(id)")
            for url in [
                "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/",
                "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://0/", "http://2130706433/", "http://127.1/",
                "https://user:word@1.1.1.1/", "ftp://1.1.1.1/", "http://no-such-host.invalid/",
            ] {
                try await ann.post("/v1/me/webhooks", #"{"url":"\#(url)"}"#).expectProblem(
                    422, "invalid_url", field: "url", url)
            }
            try await ann.post("/v1/me/webhooks", #"{"url":"https://1.1.1.1/","events":[]}"#)
                .expectProblem(422, "invalid_value", field: "events")
            for _ in 0..<10 {
                #expect(try await ann.post("/v1/me/webhooks", #"{"url":"https://1.1.1.1/"}"#).status == 201)
            }
            try await ann.post("/v1/me/webhooks", #"{"url":"https://1.1.1.1/"}"#).expectProblem(409, "limit_reached")
        }
    }

    @Test func `a service account that cannot be used ends the server with words`() async throws {
        try await GraphdServer.prepared { server in
            let process = try GraphdProcess(server.serveArguments + ["--fcm-service-account", "/nonexistent.json"])
            #expect(await process.wait() != .exited(0))
            #expect(process.lines.contains { $0.contains("/nonexistent.json cannot be read") }, "\(process.lines)")
        }
    }
}
