import SocialGraph

/// A place to jump to in a video. Times are milliseconds.
package struct VideoPlace: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A labelled segment.
        case segment
        /// Speech.
        case transcript
        /// A time named by the command.
        case time
    }

    package let kind: Kind
    /// The segment that plays at `timestamp`; nil without one.
    package let segment: SegmentID?
    /// Label of the segment, otherwise the speech, otherwise the time as a clock shows it.
    package let label: String
    package let start: Int64
    package let end: Int64
    /// Time to jump to.
    package var timestamp: Int64 { start }
    /// Probability that the command meant this place, 0...1, as measured on the labelled set.
    package let confidence: Double
}

/// A line of the table of contents.
package struct ContentsEntry: Sendable, Equatable {
    /// Nil for an entry derived from the transcript.
    package let segment: SegmentID?
    package let label: String
    package let start: Int64
    package let end: Int64
}

/// The table of contents of a video, in order.
package struct Contents: Sendable, Equatable {
    package let entries: [ContentsEntry]
    /// True if the video has no labelled segments, so that the entries are derived from its transcript.
    package let isDerived: Bool

    init(_ index: SegmentIndex) {
        entries = index.units.map { ContentsEntry(segment: $0.id, label: $0.label, start: $0.start, end: $0.end) }
        isDerived = index.isDerived
    }
}
