import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Bytes that no well-behaved client sends. The server refuses them, writes nothing and keeps serving.
@Suite(.timeLimit(.process), .sharedGraphd)
struct MalformedHTTPTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let body = #"{"caption":"c","mediaUrl":"https://example.org/v"}"#

    private func head(_ person: Person, _ extra: String) -> String {
        "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(person.token)\r\n\(extra)\r\n"
    }

    private func expectNothingWritten(_ person: Person) async throws {
        let me = try await server.client(person).get("/v1/me")
        #expect(me.status == 200)
        #expect(try me.json["postsCount"] == .integer(0))
        #expect(try await server.client(person).page("/v1/timelines/home") == [])
    }

    @Test(arguments: [
        "\r\n\r\n\r\n", "GET\r\n\r\n", "GET /healthz\r\n\r\n", "GET /healthz HTTP/9.9\r\n\r\n",
        "BREW /healthz HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n no colon\r\n\r\n", "GET / HTTP/1.1\r\nHo st: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /v1/posts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "POST /v1/posts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{0}\u{1}\u{0}", "\u{0}\u{0}\u{0}\u{0}", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
    func `garbage is refused and the server goes on`(_ bytes: String) async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send(bytes)
        connection.finish()
        let answer = try await connection.receive()
        #expect(!answer.hasPrefix("HTTP/1.1 2") && !answer.hasPrefix("HTTP/1.1 5"), "\(answer)")
        #expect(try await server.client().get("/healthz").status == 200)
    }

    /// Requests that are not HTTP/1.1.
    private static let malformed: [String] = [
        // Requests without exactly one Host (RFC 9112, section 3.2).
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
        "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        // Chunks.
        chunked("xyz\r\n"),
        chunked("-1\r\na\r\n0\r\n\r\n"),
        chunked("1\r\nab\r\n0\r\n\r\n"),
        chunked("2\r\na\r\n0\r\n\r\n"),
        chunked("1\r\na0\r\n\r\n"),
        chunked("0x1\r\na\r\n0\r\n\r\n"),
        chunked("ffffffffffffffffff\r\na\r\n0\r\n\r\n"),
        chunked("1\r\n{\r\n0\r\nA b: c\r\n\r\n"),
        chunked("1 \u{0}\r\na\r\n0\r\n\r\n"),
        // Lengths.
        sized("Content-Length: x"),
        sized("Content-Length: 1e3"),
        sized("Content-Length: +1"),
        sized("Content-Length: 99999999999999999999"),
        sized("Content-Length: 1, 2"),
        sized("Transfer-Encoding: gzip"),
        sized("Transfer-Encoding: chunked, gzip"),
        sized("Content-Length: 5\r\nTransfer-Encoding: chunked"),
        // Lines and fields.
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX\u{0}: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
        "GET /healthz\r\nHost: a\r\n\r\n",
        "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET /hea\u{0}lthz HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test(arguments: malformed)
    func `a malformed request is 400 and ends the connection`(_ bytes: String) async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send(bytes)
        // The client does not end its side of the connection: the server closes it.
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(bytes): \(answer)")
        #expect(answer.split(separator: "HTTP/1.").count == 1, "\(answer)")
    }

    private static func chunked(_ body: String) -> String {
        "POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    }

    private static func sized(_ field: String) -> String {
        "POST /v1/auth/login HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\nabcde"
    }

    /// Damaged requests never result in a 5xx.
    @Test func `damaged requests are never the server's fault`() async throws {
        let person = try await server.person()
        let whole =
            Array(head(person, "Transfer-Encoding: chunked\r\n").utf8)
            + Array("11\r\n{\"caption\":\"c\",x\r\n0\r\n\r\n".utf8)
        var generator = SplitMix64(seed: 21)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: place)
                }
            }
            let connection = try RawConnection(port: server.port)
            try await connection.send(bytes)
            connection.finish()
            let answer = (try? await connection.receive()) ?? ""
            #expect(!answer.contains("HTTP/1.1 5"), "\(String(decoding: bytes, as: UTF8.self)): \(answer)")
        }
        #expect(try await server.client().get("/healthz").status == 200)
    }

    @Test(arguments: ["//v1/me", "/v1//me", "//healthz", "/v1/users//followers", "///", "//"])
    func `a path with an empty part is no path`(_ path: String) async throws {
        let connection = try RawConnection(port: server.port)
        let person = try await server.person()
        try await connection.send(
            "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\nConnection: close\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 404") && answer.contains(#""code":"not_found""#), "\(answer)")
    }

    @Test(arguments: ["", "Host: a\r\n", "Connection: keep-alive\r\n"])
    func `a connection of HTTP/1.0 is closed after its answer`(_ fields: String) async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send("GET /healthz HTTP/1.0\r\n\(fields)\r\nGET /healthz HTTP/1.0\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.0 200") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
        #expect(answer.split(separator: "HTTP/1.0").count == 1 && !answer.contains("chunked"), "\(answer)")
    }

    @Test func `a body over one mebibyte is 413, with a length and without`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let tooLarge = [UInt8](repeating: UInt8(ascii: " "), count: 1_048_577)
        let sized = try await client.send("POST", "/v1/posts", body: tooLarge)
        #expect(sized.status == 413, "\(sized)")
        #expect(try sized.json["code"] == .string("body_too_large"))

        let connection = try RawConnection(port: server.port)
        try await connection.send(head(person, "Transfer-Encoding: chunked\r\nConnection: close\r\n"))
        for _ in 0..<17 {
            try await connection.send("10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n")
        }
        try await connection.send("0\r\n\r\n")
        let answer = try await connection.receive { $0.contains("body_too_large") }
        #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        try await expectNothingWritten(person)
    }

    @Test func `a body of exactly one mebibyte is read`() async throws {
        let person = try await server.person()
        let padding = String(repeating: " ", count: 1_048_576 - Self.body.utf8.count)
        let answer = try await server.client(person).post("/v1/posts", padding + Self.body)
        #expect(answer.status == 201, "\(answer)")
    }

    @Test func `a body in small chunks is read as one`() async throws {
        let person = try await server.person()
        let connection = try RawConnection(port: server.port)
        try await connection.send(head(person, "Transfer-Encoding: chunked\r\nConnection: close\r\n"))
        for character in Self.body { try await connection.send("1\r\n\(character)\r\n") }
        try await connection.send("0\r\n\r\n")
        #expect(try await connection.receive().hasPrefix("HTTP/1.1 201"))
        #expect(try await server.client(person).get("/v1/me").json["postsCount"] == .integer(1))
    }

    @Test func `a request that is cut off writes nothing`() async throws {
        let person = try await server.person()
        let whole = head(person, "Content-Length: \(Self.body.utf8.count)\r\n") + Self.body
        for length in stride(from: 0, to: whole.utf8.count - 1, by: 29) {
            let connection = try RawConnection(port: server.port)
            try await connection.send(Array(whole.utf8.prefix(length)))
            connection.finish()
            let answer = try? await connection.receive()
            #expect(answer?.hasPrefix("HTTP/1.1 2") != true)
        }
        try await expectNothingWritten(person)
        let connection = try RawConnection(port: server.port)
        try await connection.send(whole)
        #expect(try await connection.receive { $0.contains("postId") }.hasPrefix("HTTP/1.1 201"))
    }

    @Test func `pipelined requests are answered in order`() async throws {
        let person = try await server.person()
        let connection = try RawConnection(port: server.port)
        let post = head(person, "Content-Length: \(Self.body.utf8.count)\r\n") + Self.body
        let home = "GET /v1/timelines/home HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\n"
        try await connection.send(post + home + "\r\n" + post + home + "Connection: close\r\n\r\n")
        let answers = try await connection.receive().split(separator: "HTTP/1.1 ")
        #expect(answers.map { $0.prefix(3) } == ["201", "200", "201", "200"])
        // Each page shows what was posted before it on the same connection.
        #expect(answers.map { $0.split(separator: "\"postId\"").count - 1 } == [1, 1, 1, 2])
    }

    @Test func `a header that never ends is refused`() async throws {
        let connection = try RawConnection(port: server.port)
        try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: " + String(repeating: "a", count: 1 << 20))
        connection.finish()
        let answer = try? await connection.receive()
        #expect(answer?.hasPrefix("HTTP/1.1 2") != true)
        #expect(try await server.client().get("/healthz").status == 200)
    }
}
