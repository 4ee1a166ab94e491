import Database
import Foundation
import HTTPTypes
import HummingbirdTesting
import MediaJobs
import ObjectStorageTestSupport
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles
@testable import StrictJSON

/// Jobs of uploaded videos, from the upload to the status that the uploader sees.
@Suite(.timeLimit(.process))
struct MediaJobServiceTests {
    private static func upload(
        _ fixture: MediaFixture, _ bytes: [UInt8] = SampleFile.mp4(), thumbnail: [UInt8]? = nil
    ) async throws -> String {
        var form = FormText()
        form.add("file", file: bytes)
        if let thumbnail { form.add("thumbnail", file: thumbnail) }
        let answer = try await fixture.upload(form)
        #expect(answer.status == .created)
        #expect(try answer.json["status"]?.text == "queued")
        return try #require(try answer.json["mediaId"]?.text)
    }

    private static func service(
        _ fixture: MediaFixture, _ tools: VideoTools?, worker: Int64 = 1, nodes: Int = 1, later: Int64 = 0
    ) -> MediaJobService {
        MediaJobService(
            graph: fixture.graph, store: fixture.store, tools: tools, limits: fixture.videoLimits, worker: worker,
            nodes: { nodes }, logger: .silent, now: { SystemClock.milliseconds() + later })
    }

    /// Uploads a video, runs its job, and passes `body` the status.
    private func examined(
        by tools: VideoTools?, _ settings: MediaFixture.Settings = .init(),
        video bytes: [UInt8] = SampleFile.mp4(), thumbnail: [UInt8]? = nil,
        _ body: (_ status: JSONValue, _ fixture: MediaFixture) async throws -> Void
    ) async throws {
        try await MediaFixture.with(settings) { fixture in
            let id = try await Self.upload(fixture, bytes, thumbnail: thumbnail)
            #expect(try await fixture.status(id).json["status"]?.text == "queued")
            await Self.service(fixture, tools).work(untilIdle: true)
            try await body(try await fixture.status(id).json, fixture)
            #expect(try fileNames(below: fixture.directory.path + "/incoming").isEmpty)
        }
    }

    @Test(arguments: ["mp4", "webm", "mov"])
    func `a video is ready with duration, size, codec and poster`(format: String) async throws {
        let video = try await FakeVideoTools.video(format)
        try await examined(by: try FakeVideoTools.installed(), video: video) { status, fixture in
            #expect(status["status"]?.text == "ready" && status["error"] == .null)
            #expect([.integer(1), .double(1)].contains(status["duration"]), "\(status)")
            #expect(status["width"] == .integer(1600) && status["height"] == .integer(800))
            #expect(status["codec"]?.text == (format == "webm" ? "vp9" : "h264"))
            let url = try #require(status["posterUrl"]?.text)
            let name = try #require(try fixture.files().first { $0.hasSuffix(".jpg") })
            #expect(url.hasSuffix(URL(fileURLWithPath: name).lastPathComponent))
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.directory.path)/\(name)"))
            let width = VideoExaminer.posterWidth
            #expect(try Self.size(ofJPEG: Array(picture)) == [width, width / 2])
            #expect(try await fixture.rows() == 2)
        }
    }

    /// Width and height, from the frame header.
    private static func size(ofJPEG bytes: [UInt8]) throws -> [Int] {
        var place = 2
        while bytes[place] == 0xFF, bytes[place + 1] != 0xC0 {
            place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        try #require(bytes[place + 1] == 0xC0)
        return [7, 5].map { Int(bytes[place + $0]) << 8 + Int(bytes[place + $0 + 1]) }
    }

    @Test func `a broken file is told to its uploader, and tried once`() async throws {
        let video = try await FakeVideoTools.video("mp4")
        for bytes in [SampleFile.mp4(), Array(video.prefix(video.count / 2))] {
            try await examined(by: try FakeVideoTools.installed(), video: bytes) { status, fixture in
                #expect(status["status"]?.text == "failed" && status["duration"] == .null)
                #expect(status["error"]?.text == "The file cannot be read as a video.")
                let (waiting, rows) = (try await fixture.graph.mediaJobs.backlog(), try await fixture.rows())
                #expect(waiting == 0 && rows == 1)
            }
        }
    }

    @Test func `a file whose pictures are damaged is told to its uploader`() async throws {
        var video = try await FakeVideoTools.video("mp4", options: ["-movflags", "+faststart"])
        let data = try #require(video.firstRange(of: Array("mdat".utf8))).upperBound
        for place in data..<video.count { video[place] = 0xA5 }
        try await examined(by: try FakeVideoTools.installed(), video: video) { status, _ in
            #expect(status["status"]?.text == "failed")
            #expect(status["error"]?.text?.contains("decoded") == true, "\(status)")
        }
    }

    @Test func `a file without a picture is told to its uploader`() async throws {
        let sound = try await FakeVideoTools.video("mov", ["sine=duration=1"])
        try await examined(by: try FakeVideoTools.installed(), video: sound) { status, _ in
            #expect(status["error"]?.text == "The file has no video track.")
        }
    }

    @Test func `too many pixels are refused before they are decoded`() async throws {
        let report = FakeVideoTools.report(width: 8_192, height: 4_321)
        try await FakeVideoTools.with(ffprobe: "printf '%s' '\(report)'") { tools, directory in
            try await examined(by: tools) { status, _ in
                #expect(status["error"]?.text?.contains("8192 × 4321") == true, "\(status)")
                #expect(!FileManager.default.fileExists(atPath: directory + "/arguments"), "ffmpeg was not started")
            }
        }
    }

    @Test func `a poster that was sent stays`() async throws {
        try await FakeVideoTools.with { tools, directory in
            try await examined(by: tools, thumbnail: SampleFile.png()) { status, _ in
                #expect(status["posterUrl"]?.text?.hasSuffix(".png") == true)
                #expect(status["duration"] == .double(2.5))
                #expect(!FileManager.default.fileExists(atPath: directory + "/arguments"))
            }
        }
    }

    @Test func `without ffmpeg a video is ready, with nothing known of it`() async throws {
        try await examined(by: nil) { status, _ in
            #expect(status["status"]?.text == "ready")
            #expect(["duration", "width", "codec", "posterUrl", "error"].allSatisfy { status[$0] == .null })
        }
    }

    @Test func `a node without ffmpeg leaves videos to others for a while`() async throws {
        try await MediaFixture.with { fixture in
            let id = try await Self.upload(fixture)
            await Self.service(fixture, nil, nodes: 2).work(untilIdle: true)
            #expect(try await fixture.status(id).json["status"]?.text == "queued")
            await Self.service(fixture, nil, nodes: 2, later: MediaJobService.patience + 1).work(untilIdle: true)
            #expect(try await fixture.status(id).json["status"]?.text == "ready")
        }
    }

    @Test func `a failure of the machine is retried, with an end`() async throws {
        let gone = VideoTools(ffmpeg: "/nowhere/ffmpeg", ffprobe: "/nowhere/ffprobe")
        try await MediaFixture.with { fixture in
            let id = try await Self.upload(fixture)
            for attempt in 1...PushBackoff.videos.attempts {
                #expect(try await fixture.status(id).json["status"]?.text == "queued", "before attempt \(attempt)")
                await Self.service(fixture, gone, later: Int64(attempt) * 3_600_000).work(untilIdle: true)
            }
            let status = try await fixture.status(id).json
            #expect(status["status"]?.text == "failed" && status["error"]?.text == MediaJobRunner.gaveUp)
        }
    }

    @Test func `a program that takes too long is ended, and tried again`() async throws {
        try await FakeVideoTools.with(ffprobe: "while :; do :; done") { tools, _ in
            var settings = MediaFixture.Settings()
            settings.videoLimits.probe = .milliseconds(200)
            try await examined(by: tools, settings) { status, _ in
                #expect(status["status"]?.text == "queued")
            }
        }
    }

    @Test func `a job that is interrupted is given back, and done by the next worker`() async throws {
        try await FakeVideoTools.with(ffprobe: "while :; do :; done") { tools, _ in
            try await MediaFixture.with { fixture in
                let id = try await Self.upload(fixture)
                let work = Task { await Self.service(fixture, tools).work() }
                while try await fixture.status(id).json["status"]?.text != "running" { await Task.yield() }
                work.cancel()
                await work.value
                #expect(try await fixture.status(id).json["status"]?.text == "queued")
                try await FakeVideoTools.with { others, _ in
                    await Self.service(fixture, others, worker: 2).work(untilIdle: true)
                }
                #expect(try await fixture.status(id).json["status"]?.text == "ready")
            }
        }
    }

    @Test func `two nodes share the jobs, each of which ends once`() async throws {
        try await FakeVideoTools.with { tools, _ in
            try await MediaFixture.with { fixture in
                var ids: [String] = []
                for _ in 0..<8 { ids.append(try await Self.upload(fixture)) }
                await withTaskGroup(of: Void.self) { group in
                    for worker in 1...2 {
                        group.addTask {
                            await Self.service(fixture, tools, worker: Int64(worker), nodes: 2).work(untilIdle: true)
                        }
                    }
                }
                for id in ids { #expect(try await fixture.status(id).json["status"]?.text == "ready") }
                #expect(try await fixture.rows() == 16)
                #expect(try fixture.files().count == 16)
            }
        }
    }

    @Test func `a video in a bucket is fetched, and its poster goes there`() async throws {
        try await FakeVideoTools.with { tools, _ in
            try await StrictS3.with { service in
                var settings = MediaFixture.Settings()
                settings.storage = BucketMediaTests.bucket(service.address(prefix: "p", ""))
                try await examined(by: tools, settings) { status, fixture in
                    #expect(status["status"]?.text == "ready")
                    #expect(service.objects.count == 3, "the video, the poster and the owner")
                    let files = try fixture.files()
                    #expect(files.isEmpty)
                }
            }
        }
    }

    @Test func `only the uploader sees the status`() async throws {
        try await MediaFixture.with { fixture in
            let id = try await Self.upload(fixture)
            #expect(try await fixture.status(id, as: fixture.bob).code == "media_not_found")
            #expect(try await fixture.status("1").code == "media_not_found")
            #expect(try await fixture.status("x").code == "media_not_found")
            var form = FormText()
            form.add("file", file: SampleFile.png())
            let picture = try await fixture.upload(form).json
            #expect(picture["status"]?.text == "ready")
            #expect(try await fixture.status(try #require(picture["mediaId"]?.text)).json["status"]?.text == "ready")
        }
    }
}
