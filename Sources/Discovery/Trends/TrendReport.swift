import SocialGraph

/// What was found out about trends at one moment.
struct TrendReport: Sendable {
    /// Posts that trends are counted of; of more, a sample.
    static let countedPosts = 1_000_000
    /// Posts whose topics are looked up; of more, a sample.
    static let topicPosts = 100_000

    let periods: TrendPeriods
    /// Likes by post. A trial is a like: a user likes a post once, so its likes are by different people.
    let likes: PostSample<PostEngagement>
    /// Rising most first, by the lower bound; what has no rating last. At most ``DiscoveryLimits/listedTopics`` of each
    /// kind.
    let topics: [TopicTrend]

    func statistics(_ engagement: PostEngagement) -> TrendStatistics? {
        TrendStatistics(engagement.likes, lengths: periods.lengths)
    }

    /// The posts that have a rating, by its lower bound, highest first; of equal ones the newer first.
    func rankedPosts() -> [PostID] {
        likes.values
            .compactMap { post, engagement in statistics(engagement).map { (post: post, score: $0.lower) } }
            .sorted { ($0.score, $0.post) > ($1.score, $1.post) }
            .map(\.post)
    }
}

/// Engagements of a post in both periods.
struct PostEngagement: Sendable, Equatable {
    var likes = PeriodCounts()
    var all = PeriodCounts()

    mutating func add(_ hour: HourOfEngagement, _ periods: TrendPeriods) {
        // What was taken back after its hour was forgotten is counted below zero: it is no engagement.
        let (likes, all) = (max(hour.counts.likes, 0), max(hour.counts.total, 0))
        if periods.later.contains(hour.hour) {
            self.likes.later += likes
            self.all.later += all
        } else if periods.earlier.contains(hour.hour) {
            self.likes.earlier += likes
            self.all.earlier += all
        }
    }
}

extension EngagementCounts {
    var total: Int64 { likes + comments + shares }
}
