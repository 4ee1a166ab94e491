import Database
import Foundation
import MediaJobs
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport

/// Uploads across the end of a process and beyond limits, each on a server of its own.
@Suite(.serialized, .timeLimit(.process))
struct MediaDurabilityTests {
    private func head(_ person: Person, length: Int) -> String {
        "POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\nContent-Length: \(length)\r\n"
            + "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    }

    private func rows(_ server: GraphdServer) async throws -> Int64? {
        try await server.graph.database.read { try $0.first("SELECT COUNT(*) FROM media", []) { $0.integer(0) } }
    }

    @Test func `a server killed in mid-upload keeps what it acknowledged and nothing else`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let kept = SampleFile.mp4(bytes: 500_000)
            let path = try await server.client(person).store(kept)
            while try await server.graph.mediaJobs.backlog() > 0 {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(5))
            }
            var form = FormText(boundary: "b")
            form.add("file", file: SampleFile.mp4(bytes: 4_000_000))
            let connection = try RawConnection(port: server.port)
            try await connection.send(head(person, length: form.bytes.count))
            try await connection.send(Array(form.bytes.prefix(3_000_000)))
            let incoming = server.directory.media + "/incoming"
            while try fileNames(below: incoming).isEmpty {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(5))
            }
            await server.kill()
            #expect(try fileNames(below: incoming).count == 1)
            try await server.start()
            #expect(try fileNames(below: incoming) == [])
            #expect(try await rows(server) == 1)
            #expect(try await server.client(person).get(path).body == kept)
        }
    }

    /// Leftovers of a process killed after the file was moved to its place and before its row was written.
    @Test func `a file without a row is swept at the start`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            let folder = server.directory.media + "/00"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(SampleFile.mp4()).write(to: URL(fileURLWithPath: folder + "/1.mp4"))
            try await server.start()
            while try !mediaNames(below: server.directory.media).isEmpty {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(5))
            }
            let person = try await server.person()
            try await server.client(person).get("/media/1.mp4").expectProblem(404, "media_not_found")
        }
    }

    @Test func `a video beyond the setting is refused early`() async throws {
        try await GraphdServer.running(
            ["--max-upload", "1048576", "--public-url", "https://a.example/b/"], in: .process
        ) { server in
            let person = try await server.person()
            var form = FormText()
            form.add("file", file: SampleFile.mp4(bytes: 1_048_577))
            try await server.client(person).upload(form).expectProblem(413, "body_too_large", field: "file")
            // The declared length alone is refused, before any of the body has arrived.
            let connection = try RawConnection(port: server.port)
            try await connection.send(head(person, length: 20_000_000))
            let answer = try await connection.receive { $0.contains("body_too_large") }
            #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
            #expect(try mediaNames(below: server.directory.media) == [])
            #expect(try await rows(server) == 0)
            var small = FormText()
            small.add("file", file: SampleFile.mp4(bytes: 1_048_576))
            let stored = try await server.client(person).upload(small)
            #expect(try stored.json["url"]?.text?.hasPrefix("https://a.example/b/media/") == true)
        }
    }

    /// Uploads and downloads 200 MiB. The server's memory grows by far less.
    @Test func `a large file is never held in memory`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let (pieces, piece) = (200, [UInt8](repeating: 7, count: 1 << 20))
            let head =
                "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".utf8
                + SampleFile.mp4(bytes: 100)
            let end = Array("\r\n--b--\r\n".utf8)
            let before = try await residentBytes(server)
            let connection = try RawConnection(port: server.port)
            try await connection.send(self.head(person, length: head.count + pieces * piece.count + end.count))
            try await connection.send(head)
            for _ in 0..<pieces { try await connection.send(piece) }
            #expect(try await residentBytes(server) - before < 64 << 20)
            try await connection.send(end)
            let answer = try await connection.receive { $0.contains("sha256") }
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
            let path = try #require(answer.firstMatch(of: #/[Ll]ocation: (\S+)/#)?.1)
            let range = try await server.client(person).send(
                "GET", String(path), headers: [("Range", "bytes=209715190-209715205")])
            #expect(range.status == 206 && range.body == [UInt8](repeating: 7, count: 16))
            // A reader that accepts no bytes must not make the server load the file into memory.
            let reader = try RawConnection(port: server.port)
            try await reader.send("GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\n\r\n")
            #expect(try await reader.receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 200"))
            #expect(try await residentBytes(server) - before < 64 << 20)
        }
    }

    private func residentBytes(_ server: GraphdServer) async throws -> Int {
        let text = try await server.client().get("/metrics").text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("process_resident_memory_bytes ") })
        return Int(try #require(line.split(separator: " ").last.flatMap { Double($0) }))
    }
}
