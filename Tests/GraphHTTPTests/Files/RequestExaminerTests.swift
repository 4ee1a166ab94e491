import Database
import Foundation
import GraphServices
import MediaJobs
import NIOCore
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import MediaFiles

/// Videos examined within a request. The output of the programs is checked, and their failures do not fail uploads.
@Suite(.timeLimit(.process))
struct RequestExaminerTests {
    /// Uploads a video whose request waits for its examination.
    private func uploaded(
        _ settings: MediaFixture.Settings, video bytes: [UInt8] = SampleFile.mp4(), thumbnail: [UInt8]? = nil,
        _ body: (Upload, MediaFixture) async throws -> Void
    ) async throws {
        try await MediaFixture.with(settings) { fixture in
            var form = FormText()
            if let thumbnail { form.add("thumbnail", file: thumbnail) }
            form.add("file", file: bytes, named: "; rm -rf $HOME")
            let upload = try await fixture.uploads.receive(
                UploadBody(
                    OneChunk(form.bytes), contentTypes: [form.contentType], length: form.bytes.count, from: .local),
                owner: fixture.ann.id, form: UploadForm(file: "file", thumbnail: "thumbnail"))
            try await body(upload, fixture)
        }
    }

    @Test func `a video has its properties and a poster when the request is answered`() async throws {
        try await FakeVideoTools.with { tools, directory in
            try await uploaded(.init(tools: tools)) { upload, fixture in
                let properties = VideoProperties(duration: 2.5, width: 320, height: 240, codec: "h264")
                #expect(upload.properties == properties)
                #expect(upload.thumbnail?.path.hasSuffix(".jpg") == true)
                #expect(try fixture.files().count == 2)
                #expect(try await fixture.rows() == 2)
                let job = try #require(try await fixture.graph.mediaJobs.job(of: upload.file.id))
                #expect(job.state == .ready && job.properties == properties && job.poster == upload.thumbnail?.id)
                let arguments = try String(contentsOfFile: directory + "/arguments", encoding: .utf8)
                    .split(separator: "\n")
                let input = try #require(arguments.firstIndex(of: "-i"))
                #expect(arguments[input + 1].hasPrefix("file:\(fixture.directory.path)/incoming/"))
                #expect(arguments[..<input].suffix(2) == ["-f", "mov"], "the container is told")
                #expect(arguments.contains("-nostdin"))
            }
        }
    }

    @Test func `a thumbnail that was sent is taken instead`() async throws {
        try await FakeVideoTools.with { tools, directory in
            try await uploaded(.init(tools: tools), thumbnail: SampleFile.png()) { upload, _ in
                #expect(upload.thumbnail?.path.hasSuffix(".png") == true)
                #expect(upload.properties?.duration == 2.5)
                #expect(!FileManager.default.fileExists(atPath: directory + "/arguments"), "none was drawn")
            }
        }
    }

    @Test(arguments: ["exit 1", "exit 0", "printf '<html>' > \"$out\"", "exec head -c 20000000 /dev/zero > \"$out\""])
    func `a poster that fails does not fail the upload`(_ script: String) async throws {
        try await FakeVideoTools.with(ffmpeg: script) { tools, _ in
            try await uploaded(.init(tools: tools)) { upload, fixture in
                let files = try fixture.files()
                #expect(upload.thumbnail == nil && upload.properties?.duration == 2.5 && files.count == 1)
            }
        }
    }

    @Test(arguments: ["exit 1", "exit 0", "printf '<html>'", "printf '{\"streams\":[]}'", "exec cat /dev/zero"])
    func `properties that cannot be read do not fail the upload`(_ script: String) async throws {
        try await FakeVideoTools.with(ffprobe: script) { tools, _ in
            try await uploaded(.init(tools: tools)) { upload, fixture in
                let files = try fixture.files()
                #expect(upload.thumbnail == nil && upload.properties == nil && files.count == 1)
            }
        }
    }

    @Test func `a program that takes too long is ended`() async throws {
        try await FakeVideoTools.with(ffmpeg: "printf '\\377\\330' > \"$out\"\nwhile :; do :; done") { tools, _ in
            var settings = MediaFixture.Settings(tools: tools)
            settings.videoLimits.poster = .milliseconds(300)
            try await uploaded(settings) { upload, fixture in
                let files = try fixture.files()
                #expect(upload.thumbnail == nil && files.count == 1)
            }
        }
    }

    @Test func `pictures are not examined`() async throws {
        try await FakeVideoTools.with { tools, directory in
            try await uploaded(.init(tools: tools), video: SampleFile.png()) { upload, fixture in
                #expect(upload.thumbnail == nil && upload.properties == nil)
                let job = try await fixture.graph.mediaJobs.job(of: upload.file.id)
                #expect(try await fixture.rows() == 1 && job == nil)
                #expect(!FileManager.default.fileExists(atPath: directory + "/arguments"))
            }
        }
    }

    @Test func `the programs are looked for in the path`() {
        #expect(VideoTools.find("sh", inPath: "/nowhere:/bin:/usr/bin") == "/bin/sh")
        #expect(VideoTools.find("no such program", inPath: "/bin") == nil)
        #expect(VideoTools.find("sh", inPath: nil) == nil)
        #expect(VideoTools.find(inPath: "/nowhere") == nil)
    }
}

/// A body in one piece.
private struct OneChunk: AsyncIteratorProtocol {
    private var rest: ByteBuffer?

    init(_ bytes: [UInt8]) { rest = ByteBuffer(bytes: bytes) }

    mutating func next() async throws -> ByteBuffer? {
        defer { rest = nil }
        return rest
    }
}
