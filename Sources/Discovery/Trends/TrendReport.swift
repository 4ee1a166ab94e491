import Database
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

    func statistics(of post: PostID, _ engagement: PostEngagement) -> TrendStatistics? {
        let birth = engagement.birth(createdAt: IDSequence.milliseconds(of: post.rawValue))
        return TrendStatistics(engagement.likes, lengths: periods.lengths(since: birth))
    }

    /// Returns the posts with a rating, by its lower bound, highest first; ties go to the newer post.
    func rankedPosts() -> [PostID] {
        likes.values
            .compactMap { post, engagement in statistics(of: post, engagement).map { (post: post, score: $0.lower) } }
            .sorted { ($0.score, $0.post) > ($1.score, $1.post) }
            .map(\.post)
    }
}

/// The engagements of a post in both periods.
struct PostEngagement: Sendable, Equatable {
    var likes = PeriodCounts()
    var all = PeriodCounts()
    /// The first hour of engagement, since 1970.
    private(set) var firstHour = Int64.max

    /// Returns when the history begins, in milliseconds since 1970. What has engagement exists, whatever the clock said
    /// when it was created.
    func birth(createdAt time: Int64) -> Int64 {
        firstHour == .max ? time : min(time, firstHour * EngagementClock.millisecondsPerHour)
    }

    mutating func add(_ other: PostEngagement) {
        likes.add(other.likes)
        all.add(other.all)
        firstHour = min(firstHour, other.firstHour)
    }

    mutating func add(_ hour: HourOfEngagement, _ periods: TrendPeriods) {
        // A count is negative after a withdrawal whose original hour has been deleted; that is not engagement.
        let (likes, all) = (max(hour.counts.likes, 0), max(hour.counts.total, 0))
        if all > 0 { firstHour = min(firstHour, hour.hour) }
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
