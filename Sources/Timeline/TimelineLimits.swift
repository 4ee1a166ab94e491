/// Limits of this module that are visible to clients of the API. Constants that tune an algorithm are in its own type.
/// ``TimelineService/assertTuning()`` states their relations.
package enum TimelineLimits {
    /// Maximum number of open streams of home timelines and notifications, of all readers.
    package static let streams = 20_000
    /// Maximum number of open streams of home timelines and notifications of one reader.
    package static let streamsPerReader = 8
    /// Maximum number of connections that view posts at a time, of all readers.
    package static let postStreams = 10_000
    /// Maximum number of connections of one reader that view posts at a time.
    package static let postStreamsPerReader = 16
    /// Maximum count of unread notifications; more are reported as this count.
    package static let unreadCounted = 1_000
}
