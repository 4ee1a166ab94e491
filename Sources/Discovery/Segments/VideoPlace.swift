import SocialGraph

/// Where to jump to in a video. Times are milliseconds.
package struct VideoPlace: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A labelled segment.
        case segment
        /// Something that is said.
        case transcript
        /// A time that the command names.
        case time
    }

    package let kind: Kind
    /// The segment that plays at `timestamp`, if there is one.
    package let segment: SegmentID?
    /// Its label, else what is said, else the time as a clock shows it.
    package let label: String
    package let start: Int64
    package let end: Int64
    /// Where to jump to.
    package var timestamp: Int64 { start }
    /// How likely this is what was meant, 0...1, as measured on the labelled set.
    package let confidence: Double
}

/// A line of the table of contents.
package struct ContentsEntry: Sendable, Equatable {
    /// Nil where the entry is derived from the transcript.
    package let segment: SegmentID?
    package let label: String
    package let start: Int64
    package let end: Int64
}

/// What a video has, in order.
package struct Contents: Sendable, Equatable {
    package let entries: [ContentsEntry]
    /// Whether nobody has labelled the video, so that the entries were made of its transcript.
    package let isDerived: Bool

    init(_ index: SegmentIndex) {
        entries = index.units.map { ContentsEntry(segment: $0.id, label: $0.label, start: $0.start, end: $0.end) }
        isDerived = index.isDerived
    }
}
