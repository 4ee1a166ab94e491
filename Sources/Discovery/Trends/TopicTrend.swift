import SocialGraph

/// The trend of a category or tag.
package struct TopicTrend: Sendable, Equatable {
    package let topic: TopicID
    package let kind: TopicKind
    /// Name as spelt by the latest post.
    package let name: String
    /// Nil if there is too little engagement.
    package let statistics: TrendStatistics?
    /// Likes, comments and shares of both periods together.
    package let engagements: Int64
    /// Number of posts with engagement.
    package let posts: Int
}
