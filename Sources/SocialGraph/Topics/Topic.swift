/// What a topic is a name of. A topic is followed by name, whichever it is.
package enum TopicKind: String, Sendable, CaseIterable { case category, tag }

/// A followed topic as its follower's list shows it.
package struct FollowedTopic: Sendable, Equatable {
    /// As the follower wrote it.
    package let name: String
    package let isInHome: Bool
    package let position: Int64
}
