import SocialGraph

/// The engagement of one post in one hour.
package struct HourOfEngagement: Sendable, Equatable {
    /// Hours since 1970.
    package let hour: Int64
    package let post: PostID
    package let counts: EngagementCounts
}

/// A like, a comment or a share.
package struct EngagementAct: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable { case like, comment, reshare, externalShare }

    package let kind: Kind
    package let post: PostID
    /// Milliseconds since 1970.
    package let time: Int64
}
