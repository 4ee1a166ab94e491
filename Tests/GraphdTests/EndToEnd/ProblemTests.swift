import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Error answers, and requests beyond the documented ones.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ProblemTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    /// Expects problem+json with all its fields, and the request id of the header.
    private func expect(
        _ answer: Answer, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, "\(answer)", sourceLocation: sourceLocation)
        #expect(answer.header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
        let problem = try answer.json
        let fields = Set(problem.names)
        #expect(fields.isSuperset(of: ["type", "title", "status", "detail", "code", "requestId"]))
        #expect(problem["status"] == .integer(Int64(status)), sourceLocation: sourceLocation)
        #expect(problem["code"] == .string(code), sourceLocation: sourceLocation)
        #expect(problem["detail"]?.text?.isEmpty == false, sourceLocation: sourceLocation)
        let id = try #require(answer.header("X-Request-Id"), sourceLocation: sourceLocation)
        #expect(!id.isEmpty && problem["requestId"] == .string(id), sourceLocation: sourceLocation)
    }

    @Test(arguments: ["/", "/v1", "/v2/me", "/v1/users", "/v1/timelines", "/v1/posts/1/fans", "/healthz/x"])
    func `an unknown path is 404`(_ path: String) async throws {
        try expect(try await server.client(try await server.person()).get(path), 404, "not_found")
    }

    @Test(arguments: [
        ("POST", "/healthz", "GET, HEAD"), ("POST", "/v1/me", "DELETE, GET, HEAD, PATCH"), ("GET", "/v1/posts", "POST"),
        ("GET", "/v1/auth/login", "POST"), ("POST", "/v1/users/1/follow", "DELETE, PUT"),
        ("PUT", "/v1/posts/1", "DELETE, GET, HEAD, PATCH"), ("PATCH", "/v1/timelines/home", "GET, HEAD"),
        ("TRACE", "/v1/me", "DELETE, GET, HEAD, PATCH"), ("POST", "/v1/users/1/block", "DELETE, PUT"),
        ("GET", "/v1/users/1/mute", "DELETE, PUT"), ("PUT", "/v1/me/blocks", "GET, HEAD"),
        ("GET", "/v1/posts/1/reshare", "DELETE, PUT"), ("PUT", "/v1/posts/1/collaboration/accept", "POST"),
        ("POST", "/v1/posts/1/collaborators/1", "DELETE, PUT"), ("POST", "/v1/posts/1/delivery", "GET, HEAD"),
        ("GET", "/v1/topics/a/follow", "DELETE, PUT"), ("PUT", "/v1/communities", "GET, HEAD, POST"),
        ("DELETE", "/v1/communities/1", "GET, HEAD, PATCH"), ("PUT", "/v1/communities/1/join", "POST"),
        ("GET", "/v1/communities/1/home", "PUT"),
    ])
    func `a wrong method is 405 and names the right ones`(_ method: String, _ path: String, _ allowed: String)
        async throws
    {
        let answer = try await server.client(try await server.person()).send(method, path)
        try expect(answer, 405, "method_not_allowed")
        #expect(answer.header("Allow") == allowed)
    }

    @Test(arguments: ["/healthz", "/readyz", "/v1/me", "/v1/timelines/home"])
    func `HEAD answers as GET without a body`(_ path: String) async throws {
        let client = server.client(try await server.person())
        var (get, head) = (try await client.get(path), try await client.send("HEAD", path))
        // The state of the outbox is among the answers, and other tests fill it meanwhile.
        while case let again = try await client.get(path), again.body.count != get.body.count {
            (get, head) = (again, try await client.send("HEAD", path))
        }
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        for name in ["Content-Type", "Content-Length"] { #expect(head.header(name) == get.header(name)) }
    }

    @Test func `HEAD of nothing is 404 without a body`() async throws {
        let answer = try await server.client(try await server.person()).send("HEAD", "/v1/posts/1")
        #expect(answer.status == 404 && answer.body.isEmpty)
    }

    @Test(arguments: [
        ("/v1/users/", "", "user_not_found"), ("/v1/users/", "/followers", "user_not_found"),
        ("/v1/users/", "/following", "user_not_found"), ("/v1/users/", "/mutuals", "user_not_found"),
        ("/v1/timelines/users/", "", "user_not_found"), ("/v1/posts/", "", "post_not_found"),
    ])
    func `an unknown or malformed id in a path is 404`(_ before: String, _ after: String, _ code: String) async throws {
        let client = server.client(try await server.person())
        for id in [
            "1", "0", "-1", "+1", "01", "1.0", "1e3", "x", "%00", "%20", "9007199254740991", "9007199254740992",
            "9223372036854775808", "99999999999999999999999999", "%D9%A1", "1%2F2", "%FF",
        ] {
            let answer = try await client.get(before + id + after)
            // An undecodable segment is not a valid path.
            try expect(answer, 404, id == "%FF" ? "not_found" : code)
        }
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `following nobody is 404 and oneself is 400`(_ method: String) async throws {
        let person = try await server.person()
        let client = server.client(person)
        for id in ["1", "x", "9007199254740992"] {
            try expect(try await client.send(method, "/v1/users/\(id)/follow"), 404, "user_not_found")
        }
        try expect(try await client.send(method, "\(person.path)/follow"), 400, "self_follow")
        #expect(try await client.get("/v1/me").json["followingCount"] == .integer(0))
    }

    @Test(arguments: ["nobody", "%00", "a%20b", "%FF", "..", "x%2Fy", "%F0%9F%98%80"])
    func `an unknown username is 404`(_ name: String) async throws {
        let answer = try await server.client(try await server.person()).get("/v1/users/by-username/\(name)")
        #expect(answer.status == 404)
        #expect(answer.header("Content-Type") == "application/problem+json")
    }

    @Test func `deleting an unknown post is 404`() async throws {
        let client = server.client(try await server.person())
        for id in ["1", "x", "%00"] { try expect(try await client.delete("/v1/posts/\(id)"), 404, "post_not_found") }
    }

    @Test func `a request id of the client is kept if it is harmless`() async throws {
        let client = server.client()
        let kept = try await client.send("GET", "/v1/me", headers: [("X-Request-Id", "my-id.1")])
        #expect(try kept.json["requestId"] == .string("my-id.1"))
        try expect(kept, 401, "token_missing")
        let replaced = try await client.send("GET", "/v1/me", headers: [("X-Request-Id", "a\"b")])
        try expect(replaced, 401, "token_missing")
        #expect(replaced.header("X-Request-Id") != "a\"b")
    }
}
