/// Limits of this module that clients of the API meet. Constants that tune an algorithm stand in its own type;
/// ``TimelineService/assertTuning()`` states how they relate.
package enum TimelineLimits {
    /// Open streams of home timelines and notifications, of all readers.
    package static let streams = 20_000
    /// Open streams of home timelines and notifications of one reader.
    package static let streamsPerReader = 8
    /// Connections that may look at posts at a time, of all readers.
    package static let postStreams = 10_000
    /// Connections that one reader may look at posts with at a time.
    package static let postStreamsPerReader = 16
    /// Unread notifications up to which they are counted; where there are more, this is the count.
    package static let unreadCounted = 1_000
}
