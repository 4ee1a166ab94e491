import Database
import Foundation
import Push
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Webhooks of the whole app, over HTTP and through kills of the server.
@Suite(.timeLimit(.process))
struct AppWebhookTests {
    private static let path = "/v1/admin/webhooks"

    /// Runs `body` with a server that sends to a fake receiver, an admin and the receiver's base URL.
    private func withServer(
        _ body: @Sendable (GraphdServer, APIClient, FakeReceiver, String) async throws -> Void
    ) async throws {
        let receiver = FakeReceiver()
        try await receiver.running { hooks in
            try await GraphdServer.prepared(["--webhooks", "anywhere"], in: .process) { server in
                try await server.start()
                let admin = server.client(try await server.admin())
                try await body(server, admin, receiver, hooks)
            }
        }
    }

    private func rest() async throws {
        // Not for synchronisation: a busy loop would take processor time from the server.
        try await Task.sleep(for: .milliseconds(20))
    }

    @Test func `every kind of event is sent in order, signed, with public fields`() async throws {
        try await withServer { server, admin, receiver, hooks in
            let webhook = try await admin.post(Self.path, #"{"url":"\#(hooks)/all"}"#)
            #expect(webhook.status == 201, "\(webhook)")
            let secret = try #require(try webhook.json["secret"]?.text)
            let signup = try await server.client().post(
                "/v1/auth/signup", #"{"email":"uma@example.org","password":"correct horse","username":"uma"}"#)
            let (user, token) = (try #require(try signup.json["userId"]?.text), try signup.json["token"]?.text)
            let client = server.client(token: token)
            let post = try #require(
                try await client.publish(with: #""visibility":"followers""#)["postId"]?.text)
            let deleted = try await client.publish("soon gone")
            var form = FormText()
            form.add("file", file: SampleFile.png(), named: "a.png")
            let media = try #require(try await client.upload(form, to: "/v1/media").json["mediaId"]?.text)
            let report = try #require(
                try await admin.post(
                    "/v1/reports", #"{"userId":"\#(user)","reason":"Spam","note":"private"}"#
                ).json["reportId"]?.text)
            while receiver.taken.count < 5 { try await rest() }
            let bodies = try receiver.taken.map { try JSONReader.read(Array($0.body.utf8)) }
            #expect(
                bodies.compactMap { $0["type"]?.text } == [
                    "user.created", "post.created", "post.created", "upload.created", "report.created",
                ])
            for (message, body) in zip(receiver.taken, bodies) {
                #expect(try message.isSigned(by: secret))
                #expect(body.names == ["type", "eventId", "timestamp", "data"])
                #expect(message.id == "evt_\(body["eventId"]?.text ?? "")")
            }
            let data = bodies.compactMap { $0["data"] }
            #expect(data[0]["userId"] == .string(user) && data[0]["user"]?["username"] == .string("uma"))
            #expect(data[1]["postId"] == .string(post) && data[1]["post"]?["visibility"] == .string("followers"))
            #expect(data[2]["postId"] == .string(deleted))
            #expect(data[3]["mediaId"] == .string(media) && data[3]["upload"]?["ownerId"] == .string(user))
            #expect(data[4]["reportId"] == .string(report) && data[4]["report"]?["reason"] == .string("Spam"))
            for message in receiver.taken {
                #expect(!message.body.contains("example.org\"") && !message.body.contains("private"))
            }
            // A replay sends the same ids, with the state of now.
            try await client.act("DELETE", "/v1/posts/\(deleted)")
            let id = try #require(try webhook.json["webhookId"]?.text)
            let replay = try await admin.post("\(Self.path)/\(id)/replay", #"{"afterEventId":"\#(user)"}"#)
            #expect(replay.status == 200, "\(replay)")
            while receiver.taken.count < 9 { try await rest() }
            #expect(receiver.taken.dropFirst(5).map(\.id) == receiver.taken[1..<5].map(\.id))
            let again = try JSONReader.read(Array(receiver.taken[6].body.utf8))["data"]
            #expect(again?["postId"] == .string(deleted) && again?["post"] == .null)
        }
    }

    @Test func `an endpoint that fails delays no other, and gets its events in order when it is back`() async throws {
        try await withServer { server, admin, receiver, hooks in
            receiver.script("/down", [.status(500), .reset(taken: false), .status(503, headers: ["Retry-After": "0"])])
            let down = try await admin.post(Self.path, #"{"url":"\#(hooks)/down","events":["post.created"]}"#).json
            _ = try await admin.post(Self.path, #"{"url":"\#(hooks)/up","events":["post.created"]}"#)
            let client = server.client(try await server.person())
            var posts: [String] = []
            for number in 0..<3 { posts.append(try await client.publish("post \(number)")) }
            let expected = posts.map { "evt_\($0)" }
            while receiver.taken.count(where: { $0.path == "/up" }) < 3 {
                try await rest()
            }
            #expect(receiver.taken.filter { $0.path == "/up" }.map(\.id) == expected)
            let id = try #require(down["webhookId"]?.text)
            // A change ends the pause after a failed attempt. One during an attempt would have it repeated.
            while !receiver.taken.contains(where: { $0.path == "/down" && $0.id == expected.last }) {
                if try await server.graph.appWebhooks.webhooks().contains(where: { $0.attempts > 0 }) {
                    _ = try await admin.send("PATCH", "\(Self.path)/\(id)", body: Array(#"{"paused":false}"#.utf8))
                }
                try await rest()
            }
            // An attempt that a change overtook is repeated: events come at least once, in order.
            var ids = receiver.taken.filter { $0.path == "/down" }.map(\.id)
            for index in ids.indices.dropFirst().reversed() where ids[index] == ids[index - 1] { ids.remove(at: index) }
            #expect(ids == expected)
        }
    }

    @Test func `kills lose no event`() async throws {
        try await withServer { server, admin, receiver, hooks in
            let secret = try #require(
                try await admin.post(Self.path, #"{"url":"\#(hooks)/hook","events":["post.created"]}"#).json["secret"]?
                    .text)
            let author = try await server.person()
            var generator = SplitMix64(seed: 7)
            var expected: Set<String> = []
            for _ in 0..<4 {
                receiver.script("/hook", [.status(204), .status(500), .status(204), .reset(taken: true)])
                for _ in 0..<8 { expected.insert("evt_\(try await server.client(author).publish())") }
                // Not for synchronisation: it picks the instant of the kill.
                try await Task.sleep(for: .milliseconds(Int64.random(in: 1...200, using: &generator)))
                await server.kill()
                try await server.start()
                // The next attempt after a failed one would be due in seconds.
                for webhook in try await server.graph.appWebhooks.webhooks() {
                    _ = try await server.graph.appWebhooks.change(webhook.id, .init(), by: UserID(rawValue: 1))
                }
            }
            while !Set(receiver.taken.map(\.id)).isSuperset(of: expected) {
                for webhook in try await server.graph.appWebhooks.webhooks() where webhook.attempts > 0 {
                    _ = try await server.graph.appWebhooks.change(webhook.id, .init(), by: UserID(rawValue: 1))
                }
                try await rest()
            }
            #expect(Set(receiver.taken.map(\.id)) == expected)
            for message in receiver.taken { #expect(try message.isSigned(by: secret)) }
        }
    }

    @Test func `admins alone manage webhooks, and addresses are guarded`() async throws {
        try await GraphdServer.running(["--webhooks", "public"]) { server in
            let (admin, other) = (server.client(try await server.admin()), server.client(try await server.person()))
            let body = #"{"url":"https://1.1.1.1/a","events":["post.created","user.created"]}"#
            try await other.post(Self.path, body).expectProblem(403, "forbidden")
            try await other.get(Self.path).expectProblem(403, "forbidden")
            let key = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
            let added = try await admin.post(Self.path, String(body.dropLast()) + #","secret":"\#(key)"}"#)
            #expect(try added.status == 201 && added.json["secret"] == .string(key), "\(added)")
            let id = try #require(try added.json["webhookId"]?.text)
            let listed = try #require(try await admin.get(Self.path).json["items"]?.entries?.first)
            #expect(
                listed.names == [
                    "webhookId", "url", "events", "createdAt", "pausedAt", "disabledAt", "lastEventId", "attempts",
                    "nextAttemptAt", "failure",
                ])
            let paused = try await admin.send("PATCH", "\(Self.path)/\(id)", body: Array(#"{"paused":true}"#.utf8)).json
            #expect(paused["pausedAt"] != .null && paused["url"] == .string("https://1.1.1.1/a"))
            #expect(try await admin.get("\(Self.path)/\(id)/deliveries").text == #"{"items":[],"nextCursor":null}"#)
            for path in ["\(id)/deliveries/7/retry", "7/deliveries/7/retry"] {
                try await admin.send("POST", "\(Self.path)/\(path)").expectProblem(404, "not_found")
            }
            try await admin.post("\(Self.path)/7/replay", #"{"afterEventId":"1"}"#).expectProblem(404, "not_found")
            for wrong in ["{}", #"{"since":"2026-01-01T00:00:00Z","afterEventId":"1"}"#, #"{"since":"soon"}"#] {
                try await admin.post("\(Self.path)/\(id)/replay", wrong).expectProblem(
                    422, "invalid_value", field: "since")
            }
            for url in ["http://127.0.0.1/", "http://10.0.0.1/", "http://169.254.169.254/"] {
                try await admin.post(Self.path, #"{"url":"\#(url)"}"#).expectProblem(422, "invalid_url", field: "url")
                try await admin.send(
                    "PATCH", "\(Self.path)/\(id)", body: Array(#"{"url":"\#(url)"}"#.utf8)
                )
                .expectProblem(422, "invalid_url", field: "url")
            }
            for (field, text) in [("events", "[]"), ("events", #"["post.deleted"]"#), ("secret", #""whsec_AAAA""#)] {
                try await admin.post(Self.path, #"{"url":"https://1.1.1.1/","\#(field)":\#(text)}"#)
                    .expectProblem(422, "invalid_value", field: field)
            }
            try await admin.act("DELETE", "\(Self.path)/\(id)")
            try await admin.delete("\(Self.path)/\(id)").expectProblem(404, "not_found")
            for _ in 0..<10 { #expect(try await admin.post(Self.path, body).status == 201) }
            try await admin.post(Self.path, body).expectProblem(409, "limit_reached")
        }
    }
}
