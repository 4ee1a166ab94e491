import Database
import Foundation
import MediaFiles
import MediaJobs
import ObjectStorageTestSupport
import PostgreSQLTestSupport
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import graphd

/// Nodes that share the files of a bucket, each a process of its own.
@Suite(.timeLimit(.process))
struct SharedMediaTests {
    private static func credentials(_ folder: String) throws -> String {
        let path = folder + "/s3"
        let text = "aws_access_key_id=\(StrictS3.accessKey)\naws_secret_access_key=\(StrictS3.secretKey)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return path
    }

    /// Runs `body` with the flags of nodes of one new graph, without and with a bucket.
    private static func with(
        _ body: @escaping @Sendable (_ url: String, _ plain: [String], _ media: [String], StrictS3) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared()
        let url = server.url(of: try await server.newDatabase())
        try await StrictS3.with { service in
            try await withTemporaryDirectory("s3") { folder in
                let media = ["--media", service.address(prefix: "g", "&credentials=\(try Self.credentials(folder))")]
                try await ExternalRedis.running { redis in
                    let plain = ["--redis", redis.argument]
                    try await body(url, plain, plain + media, service)
                }
            }
        }
    }

    @Test func `what one node stores is read at another, in ranges and with the rules of the reader`() async throws {
        try await Self.with { url, _, media, service in
            try await GraphdServer.running(media, in: .process, on: .init(database: url)) { first in
                try await GraphdServer.running(media, in: .process, on: .init(database: url)) { second in
                    let (author, stranger) = (try await first.person(), try await second.person("stranger"))
                    let bytes = SampleFile.mp4(bytes: 700_001)
                    let path = try await first.client(author).patient.store(bytes)
                    let whole = try await second.client(author).patient.get(path)
                    #expect(whole.status == 200 && whole.body == bytes)
                    let part = try await second.client(author).patient
                        .send("GET", path, headers: [("Range", "bytes=5-9")])
                    #expect(part.status == 206 && part.body == Array(bytes[5...9]))
                    try await second.client(stranger).patient.get(path).expectProblem(404, "media_not_found")
                    while try await first.graph.mediaJobs.backlog() > 0 {
                        // Not for synchronisation: the pause between two polls.
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    #expect(try fileNames(below: first.directory.media).isEmpty)
                    let metrics = try await first.client().get("/metrics")
                    let text = String(decoding: metrics.body, as: UTF8.self)
                    #expect(text.contains("graphd_media_up 1"))
                    #expect(text.contains(#"graphd_media_requests_total{operation="put",outcome="answered"}"#))
                    for line in first.logLines + second.logLines { #expect(!line.contains(StrictS3.secretKey)) }
                    // The files of a node that was killed are as safe as those of others.
                    await first.kill()
                    #expect(try await second.client(author).patient.get(path).body == bytes)
                }
            }
            #expect(service.objects.keys.count { $0.hasSuffix(".mp4") } == 1)
        }
    }

    /// True if `node` has seen another node join, and each that has joined leave.
    private static func isAloneAgain(_ node: GraphdServer) -> Bool {
        let lines = node.logLines
        let joined = lines.count { $0.contains("a node has joined") }
        return joined > 0 && joined == lines.count { $0.contains("a node has left") }
    }

    @Test func `a node with its files elsewhere is refused, and a graph is not moved without them`() async throws {
        try await Self.with { url, plain, media, service in
            func refused(_ flags: [String], _ words: String) async throws {
                let path = temporaryPath("refused")
                defer { try? FileManager.default.removeItem(atPath: path) }
                let run = try await CommandRun.of(
                    ["serve", "--port", "0", "--data-dir", path, "--database", url] + flags)
                #expect(run.end == .exited(1) && run.errors.last?.contains(words) == true, "\(run)")
                #expect(!"\(run)".contains(StrictS3.secretKey))
            }
            try await GraphdServer.running(plain, in: .process, on: .init(database: url)) { node in
                try await refused(media, "--media directory, and this one has s3://media/g/")
                let person = try await node.person()
                let bytes = SampleFile.png()
                // The refused node counts from when it is seen until it is seen to be gone.
                while !Self.isAloneAgain(node) {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(50))
                }
                let path = try await node.client(person).patient.store(bytes)
                _ = await node.stop()
                try await refused(media, "1 of the newest 1 are not at s3://media/g/")
                let copy = try await CommandRun.of(
                    ["media", "copy", node.directory.path, media[media.count - 1], "--json"] + node.storageArguments)
                copy.expect(0)
                #expect(copy.output.contains("\"copied\":1"), "\(copy)")
                try await node.start(Array(media.suffix(2)))
                let served = try await node.client(person).patient.get(path)
                #expect(served.status == 200)
                service.fail("GET", of: ".png", with: [403])
                try await node.client(person).patient.get(path).expectProblem(503, "unavailable")
                let doctor = try await CommandRun.of(["doctor", "--json"] + node.storageArguments + media)
                #expect(doctor.output.contains("can be listed, written, read and cleared"), "\(doctor)")
                #expect(service.objects.count == 2)
            }
        }
    }
}
