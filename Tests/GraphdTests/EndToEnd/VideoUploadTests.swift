import Foundation
import Glibc
import MediaFiles
import ServiceTestSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON

/// Videos on the real program: uploaded, examined, published and found.
@Suite(.serialized, .timeLimit(.process))
struct VideoUploadTests {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    private func upload(_ bytes: [UInt8], by client: APIClient) async throws -> String {
        var form = FormText()
        form.add("file", file: bytes)
        let answer = try await client.upload(form)
        #expect(answer.status == 201)
        #expect(try answer.json["status"]?.text == "queued")
        return try #require(try answer.json["mediaId"]?.text)
    }

    /// Returns the status once it is one of `expected`.
    private func status(
        _ id: String, _ expected: Set<String>, _ client: APIClient
    ) async throws -> JSONValue {
        while true {
            let status = try await client.get("/v1/media/\(id)").json
            if let text = status["status"]?.text, expected.contains(text) { return status }
            // Not for synchronisation: the pause between two polls.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `a video is published by its id, with duration and poster, and found by its duration`() async throws {
        let video = try await FakeVideoTools.video("mp4", ["testsrc=size=320x240:rate=5:duration=3"])
        try await GraphdServer.running(in: .process) { server in
            let (ann, bob) = (try await server.person(), try await server.person())
            let client = server.client(ann)
            let id = try await upload(video, by: client)
            let status = try await status(id, ["ready", "failed"], client)
            #expect(status["status"]?.text == "ready", "\(status)")
            let body = #"{"caption":"Three seconds","mediaId":"\#(id)"}"#
            let answer = try await client.post("/v1/posts", body)
            #expect(answer.status == 201)
            let post = try answer.json
            #expect(post["mediaUrl"] == status["url"])
            #expect(post["thumbnailUrl"] == status["posterUrl"] && post["thumbnailUrl"] != .null)
            let attributes = try #require(post["attributes"])
            #expect([.integer(3), .double(3)].contains(attributes["duration"]))
            #expect(attributes["width"] == .integer(320) && attributes["codec"]?.text == "h264")
            let found = try await server.client(bob).get("/v1/search/posts?q=three&duration=short").json
            #expect(found["items"]?.entries?.first?["postId"] == post["postId"])
            let others = try await server.client(bob).get("/v1/search/posts?q=three&duration=long").json
            #expect(others["items"] == .array([]))
            try await server.client(bob).post("/v1/posts", body).expectProblem(404, "media_not_found", field: "mediaId")
            let both = #"{"caption":"c","mediaId":"\#(id)","mediaUrl":"https://a.example/1.mp4"}"#
            try await client.post("/v1/posts", both).expectProblem(422, "invalid_value", field: "mediaUrl")
            let broken = try await upload(SampleFile.mp4(), by: client)
            #expect(try await self.status(broken, ["failed", "ready"], client)["error"] != .null)
            try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(broken)"}"#)
                .expectProblem(422, "media_failed", field: "mediaId")
        }
    }

    @Test func `a server killed while it examines a video does so after the next start`() async throws {
        let video = try await FakeVideoTools.video("mp4", ["testsrc=size=320x240:rate=5:duration=1"])
        try await withTemporaryDirectory("pid") { directory in
            let hanging = "echo $$ > '\(directory)/new'; exec 3< '\(directory)/new'; while :; do :; done"
            try await FakeVideoTools.with(ffprobe: hanging) { _, tools in
                try await GraphdServer.prepared(in: .process) { server in
                    try await server.start(path: "\(tools):\(Self.path)")
                    let person = try await server.person()
                    let client = server.client(person)
                    let id = try await upload(video, by: client)
                    _ = try await status(id, ["running"], client)
                    try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(id)"}"#)
                        .expectProblem(409, "media_not_ready", field: "mediaId")
                    // The shell creates the file before it writes.
                    func running() -> pid_t? {
                        let text = try? String(contentsOfFile: directory + "/new", encoding: .utf8)
                        return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
                    }
                    try await server.waitUntil { running() != nil }
                    await server.kill()
                    let program = try #require(running())
                    try await server.waitUntil { Glibc.kill(program, 0) != 0 }
                    try await server.start()
                    let after = try await status(id, ["ready", "failed"], server.client(person))
                    #expect(after["status"]?.text == "ready", "\(after)")
                    #expect(try fileNames(below: server.directory.media + "/incoming").isEmpty)
                }
            }
        }
    }

    @Test func `a server without ffmpeg tells so, and takes videos all the same`() async throws {
        let directory = try makeTemporaryDirectory("path")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let redis = try #require(VideoTools.find("redis-server", inPath: Self.path))
        try FileManager.default.createSymbolicLink(
            atPath: directory + "/redis-server", withDestinationPath: redis)
        try await GraphdServer.prepared(in: .process) { server in
            try await server.start(path: directory)
            _ = try await server.line { $0.contains("ffmpeg is not installed") }
            let client = server.client(try await server.person())
            #expect(try await client.get("/readyz").json["ffmpeg"]?.text == "missing")
            #expect(try await client.get("/readyz").json["status"]?.text == "ready")
            let id = try await upload(SampleFile.mp4(), by: client)
            let ready = try await status(id, ["ready", "failed"], client)
            #expect(ready["status"]?.text == "ready" && ready["duration"] == .null && ready["posterUrl"] == .null)
            #expect(try await client.post("/v1/posts", #"{"caption":"c","mediaId":"\#(id)"}"#).status == 201)
        }
    }
}
