import Database

/// A labelled segment of a video.
package typealias SegmentID = ID<VideoSegment>

/// How a video is divided: its labelled segments and its transcript, as its authors have uploaded them.
package struct Segmentation: Sendable, Equatable {
    /// By start, then by end.
    package let segments: [VideoSegment]
    /// WebVTT; nil if there is none.
    package let transcript: String?

    package init(segments: [VideoSegment], transcript: String?) {
        self.segments = segments
        self.transcript = transcript
    }

    package static let empty = Segmentation(segments: [], transcript: nil)
}

/// A labelled part of a video. Segments may overlap and may bear equal labels. Times are milliseconds from the start of
/// the video; `start < end`.
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

/// A segment as it is uploaded.
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

/// What a read of a segmentation has found.
package struct SegmentationReading: Sendable {
    /// Of the segmentation; nil where a post has none. Another version is another segmentation.
    package let version: Int64?
    /// Nil where it is of the version that the reader knew.
    package let segmentation: Segmentation?
    package let title: String?
    /// Of the video in milliseconds, if the post says so: the attribute `duration`.
    package let duration: Int64?
}
