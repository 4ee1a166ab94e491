import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Texts that make Unicode normalisation slow. They are refused before they are compared, folded or hashed.
@Suite(.timeLimit(.process), .sharedGraphd)
struct HostileTextTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let marks = String(repeating: "\u{300}\u{316}", count: 16)

    @Test func `marks are refused before a login`() async throws {
        let client = server.client()
        for path in ["/v1/auth/signup", "/v1/auth/login", "/v1/auth/refresh"] {
            let name = try await client.post(path, "{\"a\(Self.marks)\":1}")
            #expect(name.status == 422, "\(name)")
            let value = try await client.post(path, "{\"email\":\"a\(Self.marks)@example.org\"}")
            #expect(value.status == 422)
            #expect(try value.json["code"] == .string("invalid_value"))
            #expect(try value.json["field"] == .string("email"))
            let long = try await client.post(path, "{\"\(String(repeating: "n", count: 129))\":1}")
            #expect(long.status == 400)
            #expect(try long.json["code"] == .string("invalid_json"))
        }
    }

    @Test func `marks are refused in paths, queries and headers`() async throws {
        let client = server.client(try await server.person())
        let encoded = String(repeating: "%CC%80%CC%96", count: 16)
        for path in ["/v1/users/by-username/a\(encoded)", "/v1/timelines/public?category=\(encoded)"] {
            let answer = try await client.get(path)
            #expect(answer.status == 400, "\(path): \(answer)")
        }
        let connection = try RawConnection(port: server.port)
        try await connection.send(
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a\(Self.marks)\r\nConnection: close\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("invalid_header"), "\(answer)")
    }

    /// Request targets are ASCII (RFC 3986), so the router compares nothing else.
    @Test func `targets are ASCII`() async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send("GET /v1/\(Self.marks) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
    }

    @Test func `transcripts of tags are read`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let post = try await client.post("/v1/posts", #"{"caption":"c","mediaUrl":"https://example.org/v"}"#)
        let id = try #require(try post.json["postId"]?.text)
        let tags = "WEBVTT\n\n0:00 --> 0:01\n" + String(repeating: "<a", count: 50_000) + "\n"
        let stored = try await client.send(
            "PUT", "/v1/posts/\(id)/transcript", body: Array(tags.utf8), headers: [("Content-Type", "text/vtt")])
        #expect(stored.status == 204, "\(stored)")
        let read = try await client.get("/v1/posts/\(id)/transcript?format=vtt")
        #expect(read.status == 200)
    }
}
