import SocialGraph

/// How a category or tag does.
package struct TopicTrend: Sendable, Equatable {
    package let topic: TopicID
    package let kind: TopicKind
    /// As the latest post spells it.
    package let name: String
    /// Nil: too little to go by.
    package let statistics: TrendStatistics?
    /// Likes, comments and shares of both periods together.
    package let engagements: Int64
    /// Posts that had any.
    package let posts: Int
}
