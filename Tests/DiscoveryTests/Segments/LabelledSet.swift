import Database
import Discovery
import Foundation
import SocialGraph

/// Commands labelled with the place they mean, over invented videos. The files in `Labelled` have, for each video:
///
///     = TITLE | LENGTH
///     START-END LABEL                     labelled segments, in order
///     --                                  then, for some videos, a transcript:
///     START TEXT                          a cue, which lasts until the next one, for at most 6 seconds
///     ? COMMAND [@ POSITION] -> START     the place to jump to, or `none`
///
/// Times are minutes and seconds. A third of the commands was held out until the matcher was finished, and the faults
/// that they found were fixed. The commands of `fresh.txt` were written after that and used once.
struct LabelledSet {
    enum Use {
        case tuning, heldOut, fresh
    }

    struct Query {
        let command: String
        /// The current position in milliseconds, as all times here.
        let position: Int64?
        /// The place to jump to; nil if the video has no such part.
        let place: Int64?
        let use: Use

        /// Returns true if `answer` is the place, to the second.
        func isMet(by answer: Int64?) -> Bool {
            guard let place, let answer else { return place == nil && answer == nil }
            return abs(place - answer) <= 1_000
        }
    }

    struct Video {
        let title: String
        let length: Int64
        var segments: [VideoSegment] = []
        var cues: [Cue] = []
        var queries: [Query] = []

        var index: SegmentIndex {
            SegmentIndex(segments: segments, transcript: cues.isEmpty ? nil : Transcript(cues: cues))
        }
    }

    let videos: [Video]

    init(directory: URL = Self.directory) throws {
        var videos = try ["fitness", "cooking", "general"].flatMap { Self.videos(try Self.text($0, in: directory)) }
        var current = 0
        for line in try Self.text("fresh", in: directory).split(separator: "\n") {
            if line.hasPrefix("= ") {
                current = videos.firstIndex { $0.title == line.dropFirst(2) } ?? current
            } else if line.hasPrefix("? ") {
                videos[current].queries.append(Self.query(String(line.dropFirst(2)), videos[current].title, .fresh))
            }
        }
        self.videos = videos
    }

    /// The videos that have a transcript and no segments. A third of their commands was held out until passages and
    /// their labels were finished.
    static func transcripts(directory: URL = Self.directory) throws -> [Video] {
        videos(try text("transcripts", in: directory))
    }

    private static func text(_ name: String, in directory: URL) throws -> String {
        try String(contentsOf: directory.appendingPathComponent("\(name).txt"), encoding: .utf8)
    }

    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Labelled")

    private static func videos(_ text: String) -> [Video] {
        var videos: [Video] = []
        var isTranscript = false
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("= ") {
                let parts = line.dropFirst(2).components(separatedBy: " | ")
                videos.append(Video(title: parts[0], length: time(parts[1]) ?? 0))
                isTranscript = false
            } else if line == "--" {
                isTranscript = true
            } else if line.hasPrefix("? ") {
                let title = videos[videos.count - 1].title
                videos[videos.count - 1].queries.append(query(String(line.dropFirst(2)), title))
            } else if isTranscript {
                addCue(line, to: &videos[videos.count - 1])
            } else {
                addSegment(line, to: &videos[videos.count - 1])
            }
        }
        return videos
    }

    private static func query(_ line: String, _ title: String, _ use: Use? = nil) -> Query {
        let sides = line.components(separatedBy: " -> ")
        let command = sides[0].components(separatedBy: " @ ")
        return Query(
            command: command[0], position: command.count > 1 ? time(command[1]) : nil,
            place: time(sides[1]), use: use ?? (hash("\(title)|\(command[0])") % 3 == 0 ? .heldOut : .tuning))
    }

    private static func addCue(_ line: Substring, to video: inout Video) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let start = time(String(parts[0])) else { return }
        if let last = video.cues.popLast() {
            video.cues.append(Cue(start: last.start, end: min(last.end, start), text: last.text))
        }
        video.cues.append(Cue(start: start, end: start + 6_000, text: String(parts[1])))
    }

    private static func addSegment(_ line: Substring, to video: inout Video) {
        let parts = line.split(separator: " ", maxSplits: 1)
        let times = parts[0].split(separator: "-").map { time(String($0)) ?? 0 }
        video.segments.append(
            VideoSegment(
                id: SegmentID(rawValue: Int64(video.segments.count + 1)), label: String(parts[1]), start: times[0],
                end: times[1]))
    }

    private static func time(_ text: String) -> Int64? {
        let parts = text.split(separator: ":").compactMap { Int64($0) }
        return parts.count == 2 ? (parts[0] * 60 + parts[1]) * 1_000 : nil
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> UInt32 {
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
