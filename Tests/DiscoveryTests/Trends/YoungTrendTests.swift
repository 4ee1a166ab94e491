import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Trends of posts and topics younger than two periods.
@Suite(.timeLimit(.unit))
struct YoungTrendTests {
    private static let probabilities = [0.025, 0.5, 0.975]

    private func isNear(_ found: [Double], _ expected: [Double]) -> Bool {
        zip(found, expected).allSatisfy { abs($0 - $1) < 0.002 }
    }

    /// Quantiles of the beta distribution with parameters later + 1 and earlier + 1, from SciPy.
    @Test(arguments: [
        (0.0, 0.0, [0.025, 0.5, 0.975]), (9, 1, [0.58722, 0.85204, 0.97717]), (50, 50, [0.40364, 0.5, 0.59636]),
        (0, 20, [0.0012, 0.03247, 0.1611]),
    ])
    func `with both periods observed, the posterior is a beta distribution`(
        later: Double, earlier: Double, quantiles: [Double]
    ) {
        let posterior = SharePosterior(later: later, earlier: earlier, lengths: .equal)
        #expect(isNear(posterior.quantiles(Self.probabilities), quantiles))
    }

    @Test(arguments: [0, 20, 1e6])
    func `with nothing of the earlier period observed, the posterior is the prior`(later: Double) {
        let lengths = PeriodLengths(later: 0.3, earlier: 0, areWhole: false)
        let posterior = SharePosterior(later: later, earlier: 0, lengths: lengths)
        #expect(posterior.quantiles(Self.probabilities) == Self.probabilities)
    }

    @Test
    func `a longer history narrows the interval, and much engagement leads to the ratio of rates`() {
        let widths = [0.01, 0.1, 0.5, 1].map { observed in
            let lengths = PeriodLengths(later: 1, earlier: observed, areWhole: false)
            let bounds = SharePosterior(later: 100, earlier: 100 * observed, lengths: lengths).quantiles([0.025, 0.975])
            #expect(bounds[0] < 0.5 && bounds[1] > 0.5)
            return bounds[1] - bounds[0]
        }
        #expect(widths == widths.sorted(by: >))
        let lengths = PeriodLengths(later: 1, earlier: 0.25, areWhole: false)
        let rates = SharePosterior(later: 3e6, earlier: 0.25e6, lengths: lengths).quantiles(Self.probabilities)
        #expect(rates.allSatisfy { abs($0 - 0.75) < 0.002 } && rates == rates.sorted())
    }

    @Test
    func `what began in this period is not certain to rise`() throws {
        let young = PeriodLengths(later: 1, earlier: 0, areWhole: false)
        let post = try #require(TrendStatistics(PeriodCounts(later: 5_000, earlier: 0), lengths: young))
        #expect(post.rating == 0.5 && post.confidenceInterval == "95% CI: [0.02, 0.98]")
        let clusters = Array(repeating: PeriodCounts(later: 30, earlier: 0), count: 40)
        #expect(TrendStatistics(posts: clusters, lengths: young)?.confidenceInterval == post.confidenceInterval)
        #expect(try #require(TrendStatistics(posts: clusters)).lower > 0.9)
        #expect(TrendStatistics(PeriodCounts(later: 19, earlier: 0), lengths: young) == nil)
    }

    @Test
    func `a young topic whose posts do not show how they vary has the interval of the prior`() throws {
        let few = [PeriodCounts(later: 500, earlier: 100)]
        let young = PeriodLengths(later: 1, earlier: 0.5, areWhole: false)
        #expect(TrendStatistics(posts: few, lengths: young)?.confidenceInterval == "95% CI: [0.02, 0.98]")
        #expect(TrendStatistics(posts: few) == nil)
    }

    @Test
    func `a history is as long as the clock says, but for an hour, and no shorter than its engagement`() {
        let hour = DiscoveryFixture.hour
        let periods = TrendWindow.day.periods(at: 1_000 * hour + hour / 4)
        // The earlier period has the hours 953 to 976.
        #expect(periods.lengths(since: 0) == periods.lengths)
        #expect(periods.lengths(since: 954 * hour) == periods.lengths)
        #expect(
            periods.lengths(since: 965 * hour) == PeriodLengths(later: 23.25, earlier: 12, areWhole: false))
        #expect(periods.lengths(since: 977 * hour).earlier == 0)
        #expect(periods.lengths(since: 2_000 * hour).earlier == 0)
        var engagement = PostEngagement()
        #expect(engagement.birth(createdAt: 5) == 5)
        let counts = EngagementCounts(likes: 1, comments: 0, shares: 0)
        engagement.add(HourOfEngagement(hour: 960, post: PostID(rawValue: 1), counts: counts), periods)
        #expect(engagement.birth(createdAt: 970 * hour) == 960 * hour)
        #expect(engagement.birth(createdAt: 955 * hour) == 955 * hour)
    }

    @Test
    func `a topic grows from the prior to its rating`() async throws {
        try await withDiscovery { fixture in
            let posts = try await fixture.posts(12, tags: ["new"])
            func rating() async throws -> TrendStatistics {
                let topics = try await fixture.trends.topics(.day, limit: 1)
                return try #require(topics.first?.statistics)
            }
            for post in posts { try await fixture.engage(post, likes: 10) }
            #expect(try await rating().confidenceInterval == "95% CI: [0.02, 0.98]")
            #expect(try await fixture.trends.post(posts[0], .day) == nil)
            // A day and a half later, half of the earlier day has been observed.
            fixture.clock.advance(by: 36 * DiscoveryFixture.hour)
            for post in posts { try await fixture.engage(post, likes: 20) }
            let half = try await rating()
            #expect(half.lower > 0.3 && half.rating > 0.4 && half.upper < 0.7)
            fixture.clock.advance(by: 12 * DiscoveryFixture.hour)
            for post in posts { try await fixture.engage(post, likes: 1) }
            #expect(try await rating().rating > 0.9)
        }
    }
}
