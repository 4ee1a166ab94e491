import Foundation
import MediaFiles
import Processes
import TestSupport
import Testing

/// The installed programs, and shell scripts in their place that fail in ways that they seldom do. A confined script
/// starts no program, but its last command may take its place with `exec`.
package enum FakeVideoTools {
    /// A report of ffprobe.
    package static func report(width: Int = 320, height: Int = 240) -> String {
        #"{"streams":[{"codec_name":"h264","width":\#(width),"height":\#(height)}],"format":{"duration":"2.5"}}"#
    }

    /// The scripts that answer as the programs do. `$out` is the output file of ffmpeg, `$picture` a picture.
    package static let ffprobe = "printf '%s' '\(report())'"
    package static let ffmpeg = "exec cat \"$picture\" > \"$out\""

    /// Runs `body` with scripts as programs, in a directory in which they write their arguments to `arguments`.
    package static func with(
        ffprobe: String = ffprobe, ffmpeg: String = ffmpeg, _ body: (VideoTools, String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory("tools") { directory in
            try Data(SampleFile.jpeg()).write(to: URL(fileURLWithPath: directory + "/picture"))
            let head =
                "#!/bin/sh\nPATH=/usr/bin:/bin\npicture='\(directory)/picture'\nfor out; do :; done\n"
                + "out=${out#file:}\n"
            let writing = "printf '%s\\n' \"$@\" > '\(directory)/arguments'\n"
            for (name, script) in [("ffprobe", ffprobe), ("ffmpeg", writing + ffmpeg)] {
                try Data((head + script + "\n").utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
                #expect(chmod("\(directory)/\(name)", 0o755) == 0)
            }
            try await body(VideoTools(ffmpeg: directory + "/ffmpeg", ffprobe: directory + "/ffprobe"), directory)
        }
    }

    package static func installed() throws -> VideoTools {
        try #require(
            VideoTools.find(inPath: ProcessInfo.processInfo.environment["PATH"]), "tools/deps installs ffmpeg")
    }

    /// Returns a file that ffmpeg makes of a test picture, or of what `input` says.
    package static func video(
        _ format: String, _ input: [String] = ["testsrc=size=1600x800:rate=5:duration=1"], options: [String] = []
    ) async throws -> [UInt8] {
        try await withTemporaryDirectory("video") { directory in
            let path = "\(directory)/video.\(format)"
            let inputs = input.flatMap { ["-f", "lavfi", "-i", $0] }
            let launch = Launch(
                try installed().ffmpeg,
                ["-nostdin", "-loglevel", "error"] + inputs + ["-pix_fmt", "yuv420p"] + options + ["-y", path])
            #expect(try await ChildProcess(launch).wait() == .exited(0))
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }
}
