import SocialGraph
import Text

/// A cue of a transcript: the speech from `start` to `end`, in milliseconds from the start of the video.
package struct Cue: Sendable, Equatable {
    package let start: Int64
    package let end: Int64
    /// Text without markup; lines are separated by line feeds.
    package let text: String

    package init(start: Int64, end: Int64, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }
}

/// The speech of a video, cue by cue, by start.
package struct Transcript: Sendable, Equatable {
    package let cues: [Cue]

    package init(cues: [Cue]) { self.cues = cues }
}

/// The formats of a transcript.
package enum TimedTextFormat: String, Sendable, CaseIterable {
    /// WebVTT (W3C Candidate Recommendation, 2019).
    case webVTT = "vtt"
    /// SubRip.
    case subRip = "srt"

    package var mediaType: String {
        switch self {
        case .webVTT: "text/vtt"
        case .subRip: "application/x-subrip"
        }
    }
}

/// The reason why a text is not a transcript.
package struct TimedTextError: Error, Equatable {
    package enum Reason: Sendable, Equatable {
        case notUTF8
        case noHeader
        case badTiming
        case endsBeforeItStarts
        case tooLate
        case noCues
        case tooManyCues
        case tooManyMarks
        case tooLongCue
        case tooMuchWork
    }

    package let reason: Reason
    /// Line number, from 1.
    package let line: Int

    /// A sentence for a client.
    package var detail: String {
        let what =
            switch reason {
            case .notUTF8: "the text is not UTF-8"
            case .noHeader: "the text must begin with \"WEBVTT\""
            case .badTiming: "a timing must look like \"00:01:02.500 --> 00:01:04.000\""
            case .endsBeforeItStarts: "a cue must end after it starts"
            case .tooLate: "a cue ends later than any video does"
            case .noCues: "the text has no cue"
            case .tooManyCues: "the text has too many cues"
            case .tooManyMarks: "a cue has more than \(StreamSafeText.marksInARow) combining marks in a row"
            case .tooLongCue: "a cue has more than \(DiscoveryLimits.cueBytes) bytes of text"
            case .tooMuchWork: "the text takes too long to read"
            }
        return "The transcript is not valid at line \(line): \(what)."
    }
}
