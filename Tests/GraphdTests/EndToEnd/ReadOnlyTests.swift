import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Read-only mode, switched beside a running server and at the start.
@Suite(.timeLimit(.process))
struct ReadOnlyTests {
    private static func isReadOnly(_ state: JSONValue) -> Bool {
        state["problems"]?.entries?.contains { $0["code"]?.text == "read_only" } == true
    }

    private func expectRefusals(_ server: GraphdServer, _ client: APIClient, _ post: String) async throws {
        let refused: [(String, String, String?)] = [
            ("POST", "/v1/posts", #"{"caption":"no","mediaUrl":"https://example.org/v"}"#),
            ("PUT", "/v1/posts/\(post)/like", nil),
            ("PATCH", "/v1/me", #"{"bio":"no"}"#), ("DELETE", "/v1/posts/\(post)", nil), ("DELETE", "/v1/me", "{}"),
            ("POST", "/v1/auth/login", #"{"email":"a@example.org","password":"correct horse"}"#),
            ("POST", "/v1/moderation/actions", "{}"), ("POST", "/v1/media", nil),
        ]
        for (method, path, body) in refused {
            let answer = try await client.send(method, path, body: body.map { Array($0.utf8) })
            try answer.expectProblem(503, "read_only", "\(method) \(path)")
            #expect(answer.header("Retry-After") == "60")
        }
        let product = try await client.post("/vistavid/video/\(post)/like", "{}")
        #expect(product.status == 503)
        #expect(try product.json["success"] == .bool(false) && product.text.contains("Moving"))
    }

    private func expectReads(_ server: GraphdServer, _ client: APIClient, _ post: String) async throws {
        for path in ["/v1/timelines/home", "/v1/posts/\(post)", "/v1/me", "/v1/me/export"] {
            #expect(try await client.get(path).status == 200, "\(path)")
        }
        let jump = try await client.post("/v1/posts/\(post)/jump", #"{"query":"end"}"#)
        #expect(jump.status != 503, "\(jump)")
    }

    @Test func `changes are refused from the switch on until it is off, also over a restart`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let client = server.client(try await server.person())
            let post = try #require(
                try await client.post("/v1/posts", #"{"caption":"before","mediaUrl":"https://example.org/v"}"#).json[
                    "postId"]?.text)
            let words = ["--data-dir", server.directory.path]
            let on = try await server.command(
                ["read-only", "on", "--reason", "Moving house."] + words, environment: [:])
            #expect(on.expect(0).output.contains("is read-only: Moving house."))
            try await server.waitUntilReady { Self.isReadOnly($0) }
            try await expectRefusals(server, client, post)
            try await expectReads(server, client, post)
            await server.kill()
            try await server.start()
            let restarted = server.client(token: client.token)
            try await expectRefusals(server, restarted, post)
            try await expectReads(server, restarted, post)
            try await server.command(["read-only", "off"] + words, environment: [:]).expect(0)
            try await server.waitUntilReady { !Self.isReadOnly($0) }
            #expect(
                try await restarted.post("/v1/posts", #"{"caption":"after","mediaUrl":"https://example.org/v"}"#)
                    .status == 201)
            let shown = try await server.command(["read-only"] + words, environment: [:]).expect(0)
            #expect(shown.output.contains("accepts changes"))
        }
    }

    @Test func `the setting holds for a run`() async throws {
        try await GraphdServer.running(["--read-only", "on"]) { server in
            let client = server.client(try await server.person())
            try await client.post("/v1/posts", #"{"caption":"no","mediaUrl":"https://example.org/v"}"#).expectProblem(
                503, "read_only")
            #expect(try await client.get("/v1/timelines/home").status == 200)
            #expect(try await server.client().get("/readyz").text.contains("read_only"))
        }
    }

    @Test func `a reason belongs to on and has a limit`() async throws {
        try await GraphdServer.running { server in
            let words = ["--data-dir", server.directory.path]
            for bad in [["off", "--reason", "x"], ["on", "--reason", ""], ["maybe"]] {
                try await server.command(["read-only"] + bad + words, environment: [:]).expect(64)
            }
        }
    }
}
