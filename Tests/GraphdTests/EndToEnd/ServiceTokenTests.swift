import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphHTTP
@testable import Sessions
@testable import StrictJSON

/// Service tokens: made by admins and on the machine, and closed to everything but the acts of their scopes.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ServiceTokenTests {
    private static let path = "/v1/admin/service-tokens"

    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func admin() async throws -> APIClient { server.client(try await server.admin()) }

    @Test func `admins add, list and revoke tokens, and nobody else does`() async throws {
        let (admin, other) = (try await admin(), server.client(try await server.person()))
        let added = try await admin.post(Self.path, #"{"name":"listed","scopes":["transcripts:write"]}"#)
        #expect(added.status == 201, "\(added)")
        let (id, token) = (try added.json["tokenId"]?.text, try added.json["token"]?.text)
        #expect(token?.hasPrefix("graphd-service-") == true)
        #expect(added.header("Location") == "\(Self.path)/\(id ?? "")")
        let listed = try await admin.get(Self.path)
        let item = try listed.json["items"]?.entries?.first { $0["tokenId"]?.text == id }
        #expect(item?.names == ["tokenId", "name", "scopes", "createdAt"] && !listed.text.contains(token ?? "?"))
        try await admin.post(Self.path, #"{"name":"listed","scopes":["transcripts:write"]}"#)
            .expectProblem(409, "conflict", field: "name")
        for (body, field) in [
            (#"{"name":"x","scopes":[]}"#, "scopes"), (#"{"name":"x","scopes":["admin"]}"#, "scopes"),
            (#"{"name":" x","scopes":["transcripts:write"]}"#, "name"),
        ] { try await admin.post(Self.path, body).expectProblem(422, "invalid_value", field: field) }
        try await admin.post(Self.path, #"{"name":"x"}"#).expectProblem(400, "missing_field", field: "scopes")
        try await other.post(Self.path, #"{"name":"x","scopes":["transcripts:write"]}"#).expectProblem(403, "forbidden")
        try await other.get(Self.path).expectProblem(403, "forbidden")
        try await other.delete("\(Self.path)/\(id ?? "")").expectProblem(403, "forbidden")
        let worker = server.client(token: token)
        try await worker.get("/v1/me").expectProblem(403, "forbidden")
        try await admin.act("DELETE", "\(Self.path)/\(id ?? "")")
        try await admin.delete("\(Self.path)/\(id ?? "")").expectProblem(404, "not_found")
        try await worker.get("/v1/me").expectProblem(401, "token_invalid")
    }

    @Test func `the commands of the machine do the same`() async throws {
        let directory = ["--data-dir", server.directory.path]
        func run(_ words: [String]) async throws -> CommandRun {
            try await server.command(["service-token"] + words + directory, environment: [:])
        }
        let scopes = ["--scope", "media:renditions", "--scope", "transcripts:write"]
        let token = try await run(["add", "by command"] + scopes).expect(0).lines
        #expect(token.count == 1 && token.first?.hasPrefix("graphd-service-") == true)
        let worker = server.client(token: token.first)
        try await worker.get("/v1/me").expectProblem(403, "forbidden")
        _ = try await run(["add", "by command"] + scopes).expect(65)
        _ = try await run(["add", "without a scope"]).expect(64)
        _ = try await run(["add", "x", "--scope", "everything"]).expect(64)
        let list = try await run(["list", "--json"]).expect(0)
        let item = try list.json["items"]?.entries?.first { $0["name"]?.text == "by command" }
        #expect(!list.output.contains(token.first ?? "?"))
        let id = try #require(item?["tokenId"]?.text)
        _ = try await run(["revoke", id]).expect(0)
        _ = try await run(["revoke", id]).expect(66)
        try await worker.get("/v1/me").expectProblem(401, "token_invalid")
    }

    @Test func `a service token opens no operation but those of its scopes`() async throws {
        let added = try await admin().post(
            Self.path, #"{"name":"crawler","scopes":["media:renditions","transcripts:write"]}"#)
        let worker = server.client(token: try added.json["token"]?.text)
        let (all, open) = try APIDescription.documented()
        let closed = all.subtracting(open).filter { ServiceRoutes.scopes[$0.description] == nil }
        #expect(closed.count > 180)
        #expect(Set(ServiceRoutes.scopes.keys).subtracting(all.map(\.description)) == [])
        for operation in closed {
            let answer = try await worker.send(operation.method, operation.examplePath)
            #expect(answer.status == 403, "\(operation) \(answer)")
            #expect(try answer.json["code"] == .string("forbidden"), "\(operation)")
        }
        // A file that is not public needs a user's token.
        try await worker.get("/media/1.mp4").expectProblem(401, "token_invalid")
        for path in ["/v1/me", "/v1/posts/1"] {
            for wrong in ["graphd-service-", "graphd-service-" + String(repeating: "A", count: 40)] {
                try await server.client(token: wrong).get(path).expectProblem(401, "token_invalid")
            }
        }
    }
}
