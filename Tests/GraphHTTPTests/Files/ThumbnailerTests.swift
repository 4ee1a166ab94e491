import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles
@testable import StrictJSON

/// Thumbnails, made by ffmpeg, and by scripts in its place that fail in ways that it seldom does. Their output is
/// checked, and their failures do not affect uploads.
@Suite(.timeLimit(.process))
struct ThumbnailerTests {
    /// Runs `body` with a fixture whose ffmpeg is a shell script. `$out` is the output file, and `$picture` is a
    /// picture that the script may copy.
    private func withScript(
        _ script: String, limit: Duration = .seconds(20), _ body: (MediaFixture, String) async throws -> Void
    ) async throws {
        let directory = try makeTemporaryDirectory("ffmpeg")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/ffmpeg"
        try Data(SampleFile.jpeg()).write(to: URL(fileURLWithPath: directory + "/picture"))
        let head =
            "#!/bin/sh\nPATH=/usr/bin:/bin\npicture='\(directory)/picture'\nfor out; do :; done\nout=${out#file:}\n"
        try Data((head + "printf '%s\\n' \"$@\" > '\(directory)/arguments'\n" + script).utf8)
            .write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o755) == 0)
        try await MediaFixture.with(.init(ffmpeg: path, thumbnailTime: limit)) { try await body($0, directory) }
    }

    private func uploadedVideo(_ fixture: MediaFixture, _ bytes: [UInt8] = SampleFile.mp4()) async throws
        -> TestResponse
    {
        var form = FormText()
        form.add("file", file: bytes, named: "; rm -rf $HOME")
        return try await fixture.upload(form)
    }

    @Test(arguments: ["mp4", "webm", "mov"])
    func `ffmpeg makes a thumbnail of a video, no wider than allowed`(format: String) async throws {
        let path = ProcessInfo.processInfo.environment["PATH"]
        let ffmpeg = try #require(TimedProcess.find("ffmpeg", inPath: path), "tools/deps installs ffmpeg")
        let directory = try makeTemporaryDirectory("video")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let video = "\(directory)/video.\(format)"
        let pattern = ["-f", "lavfi", "-i", "testsrc=size=1600x800:rate=5:duration=1", "-pix_fmt", "yuv420p"]
        try #require(
            try await TimedProcess.run(ffmpeg, ["-loglevel", "error"] + pattern + ["-y", video], limit: .seconds(60)))
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: video)))
        try await MediaFixture.with(.init(ffmpeg: ffmpeg, thumbnailTime: .seconds(60))) { fixture in
            let answer = try await uploadedVideo(fixture, bytes)
            #expect(answer.status == .created)
            let url = try #require(try answer.json["thumbnailUrl"]?.text)
            let name = try #require(try fixture.files().first { $0.hasSuffix(".jpg") })
            #expect(url.hasSuffix(URL(fileURLWithPath: name).lastPathComponent))
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.directory.path)/\(name)"))
            #expect(try Self.size(ofJPEG: Array(picture)) == [Thumbnailer.width, Thumbnailer.width / 2])
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

    @Test func `a thumbnail is made of a video`() async throws {
        try await withScript("cat \"$picture\" > \"$out\"") { fixture, directory in
            let answer = try await uploadedVideo(fixture)
            #expect(answer.status == .created)
            let url = try #require(try answer.json["thumbnailUrl"]?.text)
            #expect(url.hasPrefix("http://a.example/media/") && url.hasSuffix(".jpg"))
            #expect(try fixture.files().count == 2)
            #expect(try await fixture.rows() == 2)
            let arguments = try String(contentsOfFile: directory + "/arguments", encoding: .utf8).split(separator: "\n")
            let input = try #require(arguments.firstIndex(of: "-i"))
            #expect(arguments[input + 1].hasPrefix("file:\(fixture.directory.path)/incoming/"))
            #expect(arguments[..<input].suffix(2) == ["-f", "mov"], "what the file is has been told already")
            #expect(arguments.contains("-nostdin"))
        }
    }

    @Test func `a thumbnail that was sent is taken instead`() async throws {
        try await withScript("exit 1") { fixture, _ in
            var form = FormText()
            form.add("thumbnail", file: SampleFile.png())
            form.add("file", file: SampleFile.mp4())
            let answer = try await fixture.upload(form)
            #expect(try answer.json["thumbnailUrl"]?.text?.hasSuffix(".png") == true)
        }
    }

    @Test(arguments: [
        "exit 1", "exit 0", "printf '<html>' > \"$out\"", "head -c 20000000 /dev/zero > \"$out\"", "kill -9 $$",
    ])
    func `a program that fails does not fail the upload`(_ script: String) async throws {
        try await withScript(script) { fixture, _ in
            let answer = try await uploadedVideo(fixture)
            #expect(answer.status == .created)
            #expect(try answer.json["thumbnailUrl"] == .null)
            #expect(try fixture.files().count == 1)
        }
    }

    @Test func `a program that takes too long is ended with what it started`() async throws {
        let script = "printf '\\377\\330\\377\\340' > \"$out\"\nsleep 600 &\nsleep 600"
        try await withScript(script, limit: .milliseconds(300)) { fixture, _ in
            let answer = try await uploadedVideo(fixture)
            #expect(answer.status == .created)
            #expect(try answer.json["thumbnailUrl"] == .null)
            #expect(try fixture.files().count == 1)
        }
    }

    @Test func `pictures have no thumbnail`() async throws {
        try await withScript("printf '\\377\\330\\377\\340' > \"$out\"") { fixture, _ in
            let answer = try await uploadedVideo(fixture, SampleFile.png())
            #expect(try answer.json["thumbnailUrl"] == .null)
            #expect(try await fixture.rows() == 1)
        }
    }

    @Test func `the program is looked for in the path`() {
        #expect(TimedProcess.find("sh", inPath: "/nowhere:/bin:/usr/bin") == "/bin/sh")
        #expect(TimedProcess.find("no such program", inPath: "/bin") == nil)
        #expect(TimedProcess.find("sh", inPath: nil) == nil)
    }
}
