import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct TrendStatisticsTests {
    /// Values of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func `Wilson's interval has the published bounds`(
        successes: Int, trials: Int, lower: Double, upper: Double
    ) {
        let share = Double(successes) / Double(trials)
        let interval = Wilson.interval(share: share, trials: Double(trials), quantile: Student.normal)
        #expect(abs(interval.lower - lower) < 0.00005)
        #expect(abs(interval.upper - upper) < 0.00005)
        // The share of the later period is a proportion like any other.
        if trials >= 20 {
            let counts = PeriodCounts(later: Int64(successes), earlier: Int64(trials - successes))
            let found = TrendStatistics(counts)
            #expect(found?.lower == interval.lower && found?.upper == interval.upper && found?.rating == share)
        }
    }

    /// Values of Student's t, two-sided 5 %, from any table.
    @Test(arguments: [
        (3.0, 3.1824), (4, 2.7764), (5, 2.5706), (7, 2.3646), (10, 2.2281), (15, 2.1314), (30, 2.0423), (120, 1.9799),
        (1e9, 1.9600),
    ])
    func `Student's quantile is that of the tables`(degrees: Double, quantile: Double) {
        #expect(abs(Student.quantile(degrees: degrees) - quantile) < 0.005)
    }

    /// Survival of rat pups by litter (Weil 1970), table 1 of Rao & Scott 1992, with the effects that the R package PF
    /// gives. graphd corrects each litter for its own weight, the package all litters for their number.
    @Test(arguments: [
        (
            [
                (13, 13), (12, 12), (9, 9), (9, 9), (8, 8), (8, 8), (12, 13), (11, 12), (9, 10), (9, 10), (8, 9),
                (11, 13), (4, 5), (5, 7), (7, 10), (7, 10),
            ], 1.232495
        ),
        (
            [
                (12, 12), (11, 11), (10, 10), (9, 9), (10, 11), (9, 10), (9, 10), (8, 9), (8, 9), (4, 5), (7, 9),
                (4, 7), (5, 10), (3, 6), (3, 10), (0, 7),
            ], 3.952861
        ),
    ])
    func `the design effect is that of Rao and Scott`(litters: [(Int64, Int64)], published: Double) throws {
        let posts = litters.map { PeriodCounts(later: $0.0, earlier: $0.1 - $0.0) }
        let statistics = try #require(TrendStatistics(posts: posts))
        #expect(abs(statistics.designEffect / published - 1) < 0.003)
    }

    @Test
    func `clusters widen the interval, and posts that are all alike do not narrow it without end`() throws {
        let alike = try #require(
            TrendStatistics(posts: Array(repeating: PeriodCounts(later: 5, earlier: 5), count: 20)))
        let apart = try #require(
            TrendStatistics(
                posts: (0..<20).map { PeriodCounts(later: $0 < 10 ? 10 : 0, earlier: $0 < 10 ? 0 : 10) }))
        #expect(alike.rating == 0.5 && apart.rating == 0.5)
        #expect(alike.designEffect == 0.5)
        #expect(abs(apart.designEffect - 200.0 / 19) < 1e-9)
        #expect(apart.upper - apart.lower > 3 * (alike.upper - alike.lower))
    }

    @Test
    func `where hardly a post is of the rarer kind, a post is a trial`() throws {
        // Each post may be one that gets engagement in one period only.
        let found = try #require(
            TrendStatistics(posts: Array(repeating: PeriodCounts(later: 50, earlier: 0), count: 15)))
        #expect(found.designEffect == 50)
        let trials = Wilson.interval(share: 1, trials: 15, quantile: Student.quantile(degrees: 14))
        #expect(abs(found.lower - trials.lower) < 1e-12 && found.upper == 1)
        // Two posts of the other kind are not enough for an estimate, four are.
        func effect(_ others: Int) -> Double? {
            let other = Array(repeating: PeriodCounts(later: 0, earlier: 1), count: others)
            return TrendStatistics(posts: Array(repeating: PeriodCounts(later: 50, earlier: 0), count: 15) + other)?
                .designEffect
        }
        #expect(try #require(effect(2)) > 45)
        #expect(try #require(effect(4)) < 5)
    }

    @Test
    func `too little to go by has no rating`() {
        #expect(TrendStatistics(PeriodCounts(later: 19, earlier: 0)) == nil)
        #expect(TrendStatistics(PeriodCounts(later: 20, earlier: 0)) != nil)
        let one = PeriodCounts(later: 10, earlier: 10)
        let least = Int(DiscoveryLimits.ratedPosts)
        #expect(TrendStatistics(posts: []) == nil)
        #expect(TrendStatistics(posts: Array(repeating: one, count: least - 1)) == nil)
        #expect(TrendStatistics(posts: Array(repeating: one, count: least)) != nil)
        // There are many posts, but one of them has nearly all of the engagement.
        let viral = [PeriodCounts(later: 1_000, earlier: 1_000)] + Array(repeating: one, count: least * 4)
        #expect(TrendStatistics(posts: viral) == nil)
        #expect(TrendStatistics(posts: Array(repeating: PeriodCounts(later: 1, earlier: 0), count: 19)) == nil)
        #expect(TrendStatistics(posts: Array(repeating: PeriodCounts(later: 1, earlier: 0), count: 20)) != nil)
    }

    @Test
    func `engagement in one period only gives an interval that ends there`() throws {
        let rising = try #require(TrendStatistics(PeriodCounts(later: 50, earlier: 0)))
        #expect(rising.rating == 1 && rising.upper == 1 && rising.lower > 0.9)
        #expect(rising.confidenceInterval == "95% CI: [0.92, 1.00]")
        let falling = try #require(
            TrendStatistics(posts: Array(repeating: PeriodCounts(later: 0, earlier: 10), count: 10)))
        #expect(falling.rating == 0 && falling.lower == 0 && falling.designEffect == 10)
        #expect(falling.upper > 0)
    }

    @Test(arguments: [
        (0.9012, 0.9788, "95% CI: [0.90, 0.98]"), (0, 1, "95% CI: [0.00, 1.00]"), (0.0999, 0.5, "95% CI: [0.09, 0.50]"),
    ])
    func `the text of an interval is never narrower than the interval`(lower: Double, upper: Double, text: String) {
        #expect(TrendStatistics(rating: 0.5, lower: lower, upper: upper, designEffect: 1).confidenceInterval == text)
    }

    @Test
    func `an hour that is not over is not taken for a quiet one`() throws {
        // The rate is the same in both periods, and the later period is half as long.
        let lengths = PeriodLengths(later: 12, earlier: 24)
        let steady = try #require(TrendStatistics(PeriodCounts(later: 100, earlier: 200), lengths: lengths))
        #expect(abs(steady.rating - 0.5) < 1e-12)
        #expect(steady.lower < 0.5 && steady.upper > 0.5)
        let window = TrendWindow.day.periods(at: 1_000 * DiscoveryFixture.hour + DiscoveryFixture.hour / 4)
        #expect(window.later == 977...1_000 && window.earlier == 953...976)
        #expect(window.lengths == PeriodLengths(later: 23.25, earlier: 24))
    }
}
