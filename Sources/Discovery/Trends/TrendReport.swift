import SocialGraph

/// The trends computed at one moment.
struct TrendReport: Sendable {
    /// Largest number of posts counted; beyond it, a sample.
    static let countedPosts = 1_000_000
    /// Largest number of posts whose topics are looked up; beyond it, a sample.
    static let topicPosts = 100_000

    let periods: TrendPeriods
    /// Likes by post. A trial is a like: a user likes a post once, so its likes come from different people.
    let likes: PostSample<PostEngagement>
    /// Topics by descending lower bound of the rating, those without a rating last. At most
    /// ``DiscoveryLimits/listedTopics`` of each kind.
    let topics: [TopicTrend]

    func statistics(_ engagement: PostEngagement) -> TrendStatistics? {
        TrendStatistics(engagement.likes, lengths: periods.lengths)
    }

    /// Returns the posts with a rating, by its lower bound, highest first; ties go to the newer post.
    func rankedPosts() -> [PostID] {
        likes.values
            .compactMap { post, engagement in statistics(engagement).map { (post: post, score: $0.lower) } }
            .sorted { ($0.score, $0.post) > ($1.score, $1.post) }
            .map(\.post)
    }
}

/// The engagements of a post in both periods.
struct PostEngagement: Sendable, Equatable {
    var likes = PeriodCounts()
    var all = PeriodCounts()

    mutating func add(_ hour: HourOfEngagement, _ periods: TrendPeriods) {
        // A count is negative after a withdrawal whose original hour has been deleted; that is not engagement.
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
