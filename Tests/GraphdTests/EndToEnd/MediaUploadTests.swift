import Crypto
import Database
import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import StrictJSON

/// Uploads to a real server. Stored files come back byte for byte, and refused ones leave nothing behind.
@Suite(.timeLimit(.process), .sharedGraphd)
struct MediaUploadTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func rows(of person: Person) async throws -> Int64? {
        try await server.graph.database.read {
            try $0.first("SELECT COUNT(*) FROM media WHERE owner_id = ?1", [.user(person.id)]) { $0.integer(0) }
        }
    }

    /// Expects that no upload is in progress. Other tests of the shared server store files at the same time, so only
    /// incoming files are checked.
    private func expectNothingStored(_ person: Person) async throws {
        #expect(try await rows(of: person) == 0)
    }

    @Test func `a file and its thumbnail come back byte for byte`() async throws {
        let client = server.client(try await server.person())
        let (video, picture) = (SampleFile.mp4(bytes: 3_000_000), SampleFile.jpeg(bytes: 70_000))
        var form = FormText()
        form.add("thumbnail", file: picture, named: "../../../etc/passwd")
        form.add("file", file: video, named: "..\\\\..\\\\x.exe")
        let answer = try await client.upload(form)
        #expect(answer.status == 201, "\(answer)")
        let json = try answer.json
        let id = try #require(json["mediaId"]?.text)
        #expect(json["url"]?.text == "http://127.0.0.1:\(server.port)/media/\(id).mp4")
        #expect(json["contentType"]?.text == "video/mp4")
        #expect(json["bytes"]?.number == 3_000_000)
        #expect(json["sha256"]?.text == SHA256.hash(data: video).map { String(format: "%02x", $0) }.joined())
        #expect(answer.header("Location") == "/media/\(id).mp4")
        #expect(try await client.get("/media/\(id).mp4").body == video)
        let thumbnail = try #require(json["thumbnailUrl"]?.text)
        #expect(thumbnail.hasSuffix(".jpg"))
        #expect(try await client.get(String(thumbnail.dropFirst(client.base.count))).body == picture)
        // The server chooses the names on disk.
        let files = try fileNames(below: server.directory.media)
        #expect(files.contains { $0.hasSuffix("/\(id).mp4") })
        #expect(!files.contains { $0.contains("passwd") || $0.contains("exe") })
    }

    @Test(arguments: [
        (nil, 415, "unsupported_media_type"), ("application/json", 415, "unsupported_media_type"),
        ("multipart/mixed; boundary=b", 415, "unsupported_media_type"),
        ("multipart/form-data", 400, "malformed_multipart"),
        ("multipart/form-data; boundary=", 400, "malformed_multipart"),
        ("multipart/form-data; boundary=b; boundary=b", 400, "malformed_multipart"),
        ("multipart/form-data; boundary=\"\(String(repeating: "b", count: 71))\"", 400, "malformed_multipart"),
        ("multipart/form-data; boundary=other", 400, "malformed_multipart"),
    ])
    func `a body of another kind is refused`(_ contentType: String?, _ status: Int, _ code: String) async throws {
        let person = try await server.person()
        var form = FormText(boundary: "b")
        form.add("file", file: SampleFile.mp4())
        let answer = try await server.client(person).upload(form.bytes, contentType: contentType)
        let isOfContent = contentType == "multipart/form-data; boundary=other"
        try answer.expectProblem(status, code, field: isOfContent ? nil : "Content-Type")
        try await expectNothingStored(person)
    }

    @Test func `a form that is not the one expected is refused`() async throws {
        let person = try await server.person()
        func check(_ status: Int, _ code: String, _ field: String?, _ fill: (inout FormText) -> Void) async throws {
            var form = FormText()
            fill(&form)
            let answer = try await server.client(person).upload(form)
            try answer.expectProblem(status, code, field: field)
        }
        try await check(400, "missing_field", "file") { _ in }
        try await check(400, "missing_field", "file") { $0.add("thumbnail", file: SampleFile.png()) }
        try await check(400, "duplicate_field", "file") {
            $0.add("file", file: SampleFile.mp4())
            $0.add("file", file: SampleFile.mp4())
        }
        try await check(400, "unknown_field", "title") {
            $0.add("file", file: SampleFile.mp4())
            $0.add("title", "text")
        }
        try await check(422, "unsupported_media", "file") { $0.add("file", file: Array("<html>".utf8), named: "a.mp4") }
        try await check(422, "unsupported_media", "file") { $0.add("file", file: [], named: "a.mp4") }
        try await check(422, "unsupported_media", "thumbnail") {
            $0.add("file", file: SampleFile.mp4())
            $0.add("thumbnail", file: SampleFile.mp4(), named: "a.jpg")
        }
        try await check(413, "body_too_large", "file") {
            $0.add("file", file: SampleFile.png(bytes: RequestLimits.pictureBytes + 1))
        }
        let answer = try await server.client(person).upload(
            [], contentType: "multipart/form-data; boundary=b", path: "/v1/media?a=1")
        try answer.expectProblem(400, "unknown_parameter", field: "a")
        try await server.client().upload(FormText()).expectProblem(401, "token_missing")
        try await expectNothingStored(person)
    }

    @Test func `a picture of exactly the limit is stored`() async throws {
        let picture = SampleFile.png(bytes: RequestLimits.pictureBytes)
        let client = server.client(try await server.person())
        #expect(try await client.get(client.store(picture)).body == picture)
    }

    @Test func `a body that is cut off stores nothing`() async throws {
        let person = try await server.person()
        var form = FormText(boundary: "b")
        form.add("file", file: SampleFile.mp4(bytes: 400_000))
        for (count, declared) in [(300_000, form.bytes.count), (form.bytes.count - 4, form.bytes.count - 4), (60, 60)] {
            let connection = try RawConnection(port: server.port)
            try await connection.send(head(person, length: declared))
            try await connection.send(Array(form.bytes.prefix(count)))
            connection.finish()
            let answer = try? await connection.receive { $0.contains("malformed_multipart") }
            #expect(answer.map { $0.isEmpty || $0.hasPrefix("HTTP/1.1 400") } ?? true, "\(answer ?? "")")
        }
        try await expectNothingStored(person)
    }

    @Test func `a body in chunks of any size is read as one`() async throws {
        let person = try await server.person()
        let video = SampleFile.mp4(bytes: 3_000)
        var form = FormText(boundary: "b")
        form.add("file", file: video)
        let connection = try RawConnection(port: server.port)
        try await connection.send(
            "POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\nConnection: close\r\n"
                + "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in form.bytes { try await connection.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)) }
        try await connection.send("0\r\n\r\n")
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
        let path = try #require(answer.firstMatch(of: #/[Ll]ocation: (\S+)/#)?.1)
        #expect(try await server.client(person).get(String(path)).body == video)
    }

    @Test func `one user has so many uploads at once`() async throws {
        let person = try await server.person()
        var connections: [RawConnection] = []
        for _ in 0..<RequestLimits.uploadsPerUser {
            let connection = try RawConnection(port: server.port)
            // One write carries a whole request and the beginning of the next. Once the first is answered, the server
            // reads the second.
            try await connection.send(
                "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + head(person, length: 1_000) + "--b\r\n")
            #expect(try await connection.receive { $0.contains("alive") }.hasPrefix("HTTP/1.1 200"))
            connections.append(connection)
        }
        var form = FormText()
        form.add("file", file: SampleFile.mp4())
        var answer = try await server.client(person).upload(form)
        // The last upload may not have taken its slot yet.
        for _ in 0..<200 where answer.status == 201 { answer = try await server.client(person).upload(form) }
        try answer.expectProblem(429, "rate_limited")
        #expect(answer.header("Retry-After") != nil)
        #expect(try await server.client(try await server.person()).upload(form).status == 201)
        connections = []
        repeat { answer = try await server.client(person).upload(form) } while answer.status == 429
        #expect(answer.status == 201)
    }

    private func head(_ person: Person, length: Int) -> String {
        "POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\nContent-Length: \(length)\r\n"
            + "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    }
}
