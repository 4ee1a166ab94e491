/// The kind of a topic. Following a name follows both kinds.
package enum TopicKind: String, Sendable, CaseIterable { case category, tag }

/// A followed topic as its follower's list shows it.
package struct FollowedTopic: Sendable, Equatable {
    /// The name in the follower's spelling.
    package let name: String
    package let isInHome: Bool
    package let position: Int64
}
