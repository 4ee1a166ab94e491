import Database

/// The id of a labelled segment.
package typealias SegmentID = ID<VideoSegment>

/// The labelled segments and the transcript of a video, as uploaded by its authors.
package struct Segmentation: Sendable, Equatable {
    /// Segments by start, then by end.
    package let segments: [VideoSegment]
    /// WebVTT; nil without a transcript.
    package let transcript: String?

    package init(segments: [VideoSegment], transcript: String?) {
        self.segments = segments
        self.transcript = transcript
    }

    package static let empty = Segmentation(segments: [], transcript: nil)
}

/// A labelled part of a video. Segments may overlap and may share a label. Times are milliseconds from the start of the
/// video; `start < end`.
package struct VideoSegment: Sendable, Equatable {
    package let id: SegmentID
    package let label: String
    package let start: Int64
    package let end: Int64

    package init(id: SegmentID, label: String, start: Int64, end: Int64) {
        self.id = id
        self.label = label
        self.start = start
        self.end = end
    }
}

/// A segment as uploaded.
package struct NewSegment: Sendable, Equatable {
    package let label: String
    package let start: Int64
    package let end: Int64

    package init(label: String, start: Int64, end: Int64) {
        self.label = label
        self.start = start
        self.end = end
    }
}

/// The result of reading a segmentation.
package struct SegmentationReading: Sendable {
    /// Version of the segmentation; nil for a post without one. Each version is a different segmentation.
    package let version: Int64?
    /// Nil if its version is the one that the reader already knew.
    package let segmentation: Segmentation?
    package let title: String?
    /// Duration of the video in milliseconds, from the attribute `duration`; nil if the post has none.
    package let duration: Int64?
}
