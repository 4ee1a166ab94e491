import Foundation

/// The programs that examine videos; one package of ffmpeg has both.
package struct VideoTools: Sendable, Equatable {
    package let ffmpeg: String
    package let ffprobe: String

    package init(ffmpeg: String, ffprobe: String) {
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
    }

    /// Returns the programs in the directories of `PATH`; nil unless both are installed.
    package static func find(inPath path: String?) -> VideoTools? {
        guard let ffmpeg = find("ffmpeg", inPath: path), let ffprobe = find("ffprobe", inPath: path) else { return nil }
        return VideoTools(ffmpeg: ffmpeg, ffprobe: ffprobe)
    }

    /// Returns the path of the program `name` in the directories of `PATH`; nil if it is not installed.
    package static func find(_ name: String, inPath path: String?) -> String? {
        guard let path else { return nil }
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// The limits of examining one video.
package struct VideoLimits: Sendable {
    /// Time for reading its properties, and for drawing its poster.
    package var probe = Duration.seconds(20)
    package var poster = Duration.seconds(60)
    /// Bytes of address space of a program.
    package var memory = 2 << 30
    /// Seconds of processor time of a program.
    package var processorSeconds = 60

    /// For a request that waits.
    package static let inRequest = VideoLimits(probe: .seconds(5), poster: .seconds(15))

    package init(probe: Duration = .seconds(20), poster: Duration = .seconds(60)) {
        self.probe = probe
        self.poster = poster
    }
}

/// The reason why a video could not be examined.
package enum VideoFault: Error, Equatable {
    /// The file is at fault; the text is for the uploader.
    case file(String)
    /// Another attempt may succeed; the text is for the log.
    case machine(String)
}
