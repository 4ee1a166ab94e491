import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceTestSupport
import StrictJSON
import TestSupport
import Testing

@testable import GraphServices

/// Web pages of other origins, conditional requests and compression, on a real server.
@Suite(.timeLimit(.process), .sharedGraphd("--cors-origins", "https://app.example.org,http://localhost:5173"))
struct BrowserTests {
    let server: GraphdServer
    private static let page = ("Origin", "https://app.example.org")

    init() throws { server = try GraphdServer.shared }

    @Test(arguments: [
        ("/v1/posts", "POST, OPTIONS"), ("/v1/posts/17", "DELETE, GET, HEAD, PATCH, OPTIONS"),
        ("/v1/me", "DELETE, GET, HEAD, PATCH, OPTIONS"), ("/v1/auth/login", "POST, OPTIONS"),
        ("/media/17.png", "GET, HEAD, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"),
    ])
    func `a preflight needs no token and names the methods`(path: String, methods: String) async throws {
        let wish = ("Access-Control-Request-Method", "POST")
        let answer = try await server.client().send("OPTIONS", path, headers: [Self.page, wish])
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.header("Access-Control-Allow-Origin") == Self.page.1)
        #expect(answer.header("Access-Control-Allow-Methods") == methods)
        #expect(answer.header("Access-Control-Allow-Headers")?.contains("Authorization") == true)
        #expect(answer.header("Vary") == "Origin")
        let plain = try await server.client().send("OPTIONS", path)
        #expect(plain.status == 204 && plain.header("Allow") == methods)
        #expect(plain.header("Access-Control-Allow-Origin") == nil)
    }

    @Test func `errors can be read by a page`() async throws {
        let client = server.client()
        let (invalid, person) = (server.client(token: "x"), server.client(try await server.person()))
        let answers = [
            try await client.send("GET", "/v1/me", headers: [Self.page]),
            try await invalid.send("GET", "/v1/me", headers: [Self.page]),
            try await client.send("GET", "/v1/nothing", headers: [Self.page]),
            try await client.send("OPTIONS", "/nothing", headers: [Self.page]),
            try await client.send("PUT", "/v1/me", headers: [Self.page]),
            try await person.send("POST", "/v1/posts", body: Array("{".utf8), headers: [Self.page]),
            try await client.send("GET", "/media/17", headers: [Self.page]),
        ]
        #expect(answers.map(\.status) == [401, 401, 404, 404, 405, 400, 404])
        for answer in answers {
            #expect(answer.header("Access-Control-Allow-Origin") == Self.page.1, "\(answer)")
            #expect(answer.header("Access-Control-Expose-Headers")?.contains("X-Request-Id") == true)
        }
    }

    @Test(arguments: [
        "https://evil.example", "null", "https://app.example.org.evil.example", "*", "https://app.example.org,x",
    ])
    func `a page of another origin gets nothing`(origin: String) async throws {
        let answer = try await server.client().send("GET", "/v1/me", headers: [("Origin", origin)])
        #expect(answer.status == 401 && answer.header("Access-Control-Allow-Origin") == nil)
        #expect(answer.header("Vary") == "Origin")
    }

    @Test func `a stream can be read by a page and is not compressed`() async throws {
        let client = server.client(try await server.person())
        var request = HTTPClientRequest(url: client.base + "/v1/stream")
        request.headers.add(name: "Authorization", value: "Bearer \(client.token ?? "")")
        request.headers.add(name: "Accept-Encoding", value: "gzip")
        request.headers.add(name: Self.page.0, value: Self.page.1)
        let answer = try await client.http.execute(request, timeout: .minutes(5))
        #expect(answer.status == .ok)
        #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == Self.page.1)
        #expect(!answer.headers.contains(name: "Content-Encoding") && !answer.headers.contains(name: "ETag"))
        var stream = EventStream(answer)
        #expect(try await stream.next()?.retry != nil)
    }

    @Test func `a post is sent once until it changes`() async throws {
        let (author, reader) = (server.client(try await server.person()), server.client(try await server.person()))
        let path = "/v1/posts/\(try await author.publish())"
        let first = try await reader.get(path)
        let tag = try #require(first.header("ETag"))
        #expect(first.header("Cache-Control") == "private, no-cache")
        let again = try await reader.send("GET", path, headers: [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
        #expect(again.header("X-Request-Id") != nil)
        let head = try await reader.send("HEAD", path)
        #expect(head.status == 200 && head.header("ETag") == tag)
        #expect(try await author.put("\(path)/like").status < 300)
        let liked = try await reader.send("GET", path, headers: [("If-None-Match", tag)])
        #expect(liked.status == 200 && liked.header("ETag") != tag)
        // A tag is no way around the token or the deletion.
        let anonymous = try await server.client().send("GET", path, headers: [("If-None-Match", "*")])
        #expect(anonymous.status == 401)
        _ = try await author.delete(path)
        let gone = try await reader.send("GET", path, headers: [("If-None-Match", tag), Self.page])
        #expect(gone.status == 404 && gone.header("ETag") == nil)
    }

    @Test func `a page arrives compressed and is the same`() async throws {
        let author = server.client(try await server.person())
        for number in 0..<12 { _ = try await author.publish("caption \(number) of a page that is long enough é") }
        let plain = try await author.get("/v1/timelines/home?limit=12")
        let squeezed = try await author.send(
            "GET", "/v1/timelines/home?limit=12", headers: [("Accept-Encoding", "br, gzip;q=0.5")])
        #expect(plain.header("Content-Encoding") == nil && squeezed.header("Content-Encoding") == "gzip")
        #expect(squeezed.header("Content-Length") == "\(squeezed.body.count)")
        #expect(squeezed.body.count * 3 < plain.body.count)
        #expect(squeezed.body.prefix(2) == [0x1f, 0x8b])
        #expect(plain.header("ETag") == squeezed.header("ETag"))
        #expect(squeezed.header("Vary")?.contains("Accept-Encoding") == true)
    }

    @Test(arguments: ["gzip", "GZIP", "br", "identity, gzip", "\"", ""])
    func `a compressed body is refused with the reason`(coding: String) async throws {
        let client = server.client(try await server.person())
        let answer = try await client.send(
            "POST", "/v1/posts", body: [0x1f, 0x8b, 8, 0], headers: [("Content-Encoding", coding)])
        try answer.expectProblem(415, "unsupported_media_type", field: "Content-Encoding")
        #expect(answer.header("Accept-Encoding") == "identity")
    }
}
