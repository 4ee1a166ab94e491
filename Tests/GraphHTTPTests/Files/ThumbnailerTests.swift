import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// Thumbnails, with scripts in place of ffmpeg. Their output is checked, and their failures do not affect uploads.
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
            #expect(arguments[input + 1].hasPrefix("file:\(fixture.directory.incoming)/"))
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
