// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// One of the known values, or one that a later server has added.
public struct GetTranscriptFormat: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let json = Self(rawValue: "json")
    public static let vtt = Self(rawValue: "vtt")
    public static let srt = Self(rawValue: "srt")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.json, .vtt, .srt]
}

public struct JumpCommand: Codable, Hashable, Sendable {
    public var command: String
    /// The current position, in seconds.
    public var at: Double?

    public init(command: String, at: Double? = nil) {
        self.command = command
        self.at = at
    }
}

public struct NewSegment: Codable, Hashable, Sendable {
    public var label: String
    public var startTime: Double
    /// Later than `startTime`.
    public var endTime: Double

    public init(label: String, startTime: Double, endTime: Double) {
        self.label = label
        self.startTime = startTime
        self.endTime = endTime
    }
}

public struct NewTranscript: Codable, Hashable, Sendable {
    public var format: NewTranscriptFormat
    public var text: String

    public init(format: NewTranscriptFormat, text: String) {
        self.format = format
        self.text = text
    }
}

/// One of the known values, or one that a later server has added.
public struct NewTranscriptFormat: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let vtt = Self(rawValue: "vtt")
    public static let srt = Self(rawValue: "srt")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.vtt, .srt]
}

public struct Segment: Codable, Hashable, Sendable {
    /// `null` for a passage of the transcript.
    public var segmentId: String?
    public var label: String
    public var startTime: Double
    public var endTime: Double

    public init(label: String, startTime: Double, endTime: Double, segmentId: String? = nil) {
        self.segmentId = segmentId
        self.label = label
        self.startTime = startTime
        self.endTime = endTime
    }
}

public struct SegmentList: Codable, Hashable, Sendable {
    public var segments: [Segment]
    /// Whether the entries were derived from the transcript.
    public var derived: Bool

    public init(segments: [Segment], derived: Bool) {
        self.segments = segments
        self.derived = derived
    }
}

public struct Transcript: Codable, Hashable, Sendable {
    public var cues: [TranscriptCue]

    public init(cues: [TranscriptCue]) {
        self.cues = cues
    }
}

public struct TranscriptCue: Codable, Hashable, Sendable {
    public var startTime: Double
    public var endTime: Double
    /// The text without markup; lines are separated by line feeds.
    public var text: String

    public init(startTime: Double, endTime: Double, text: String) {
        self.startTime = startTime
        self.endTime = endTime
        self.text = text
    }
}

public struct VideoPlace: Codable, Hashable, Sendable {
    /// The kind of match: a segment, a spoken passage, or a time given by the command.
    public var kind: VideoPlaceKind
    /// The segment at `timestamp`, if there is one.
    public var segmentId: String?
    /// The label of the segment, otherwise the spoken passage, otherwise the time.
    public var label: String
    public var startTime: Double
    public var endTime: Double
    /// The position to jump to.
    public var timestamp: Double
    /// The confidence that this is the intended part.
    public var confidence: Double

    public init(
        kind: VideoPlaceKind, label: String, startTime: Double, endTime: Double, timestamp: Double, confidence: Double,
        segmentId: String? = nil
    ) {
        self.kind = kind
        self.segmentId = segmentId
        self.label = label
        self.startTime = startTime
        self.endTime = endTime
        self.timestamp = timestamp
        self.confidence = confidence
    }
}

/// The kind of match: a segment, a spoken passage, or a time given by the command.
public struct VideoPlaceKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let segment = Self(rawValue: "segment")
    public static let transcript = Self(rawValue: "transcript")
    public static let time = Self(rawValue: "time")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.segment, .transcript, .time]
}
