import SocialGraph

/// The share of engagement in the later of two periods of equal length, with a 95 % interval.
///
/// Counts of both periods are modelled as Poisson. Conditional on their sum, the count of the later one is binomial
/// with the share λ₂/(λ₁+λ₂) (Przyborowski & Wilenski 1940). Its interval is Wilson's (1927; recommended by Brown, Cai
/// & DasGupta 2001). Engagement with a topic is clustered by post, so its trials are divided by the design effect
/// observed among the posts (Rao & Scott 1992), with Student's t instead of the normal quantile (Korn & Graubard 1998).
/// `docs/decisions/0013-business-trends.md` states the coverage.
package struct TrendStatistics: Sendable, Equatable {
    /// Rating from 0 to 1: 0.5 is steady, more is rising.
    package let rating: Double
    package let lower: Double
    package let upper: Double
    /// Number of clustered trials that carry the information of one independent trial.
    package let designEffect: Double
}

extension TrendStatistics {
    /// Computes the statistics of one post, whose trials are independent. Nil below
    /// ``DiscoveryLimits/ratedEngagements``.
    package init?(_ counts: PeriodCounts, lengths: PeriodLengths = .equal) {
        guard counts.total >= DiscoveryLimits.ratedEngagements else { return nil }
        self.init(counts, trials: Double(counts.total), quantile: Student.normal, designEffect: 1, lengths)
    }

    /// Computes the statistics of a topic, whose trials are clustered by post. Nil below
    /// ``DiscoveryLimits/ratedEngagements`` and below ``DiscoveryLimits/ratedPosts`` effective posts: few posts, or one
    /// post with nearly all of the engagement, do not show the variation among posts.
    package init?(posts: [PeriodCounts], lengths: PeriodLengths = .equal) {
        let posts = posts.filter { $0.total > 0 }
        let sum = posts.reduce(into: PeriodCounts()) { $0.add($1) }
        let effectivePosts = Kish.effectiveCount(posts.map(\.total))
        guard sum.total >= DiscoveryLimits.ratedEngagements, effectivePosts >= DiscoveryLimits.ratedPosts else {
            return nil
        }
        let variation = PostVariation(posts, of: sum, effectivePosts: effectivePosts)
        self.init(
            sum, trials: Double(sum.total) / variation.designEffect,
            quantile: Student.quantile(degrees: variation.degrees), designEffect: variation.designEffect, lengths)
    }

    private init(
        _ counts: PeriodCounts, trials: Double, quantile: Double, designEffect: Double, _ lengths: PeriodLengths
    ) {
        let share = counts.laterShare
        let interval = Wilson.interval(share: share, trials: trials, quantile: quantile)
        rating = lengths.share(share)
        lower = lengths.share(interval.lower)
        upper = lengths.share(interval.upper)
        self.designEffect = designEffect
    }

    /// Text such as `95% CI: [0.90, 0.98]`, rounded outwards.
    package var confidenceInterval: String {
        "95% CI: [\(Self.hundredths((lower * 100).rounded(.down))), \(Self.hundredths((upper * 100).rounded(.up)))]"
    }

    private static func hundredths(_ value: Double) -> String {
        let whole = Int(value)
        let rest = whole % 100
        return "\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Engagements of one or several posts in two periods.
package struct PeriodCounts: Sendable, Equatable {
    package var later: Int64 = 0
    package var earlier: Int64 = 0

    package init(later: Int64 = 0, earlier: Int64 = 0) {
        self.later = later
        self.earlier = earlier
    }

    package var total: Int64 { later + earlier }
    var laterShare: Double { Double(later) / Double(total) }

    mutating func add(_ other: PeriodCounts) {
        later += other.later
        earlier += other.earlier
    }
}

/// The lengths of the two periods. For unequal lengths, the share is converted to that of equal ones: the rates stay,
/// so the odds, and the bounds of the interval with them, change by the ratio of the lengths.
package struct PeriodLengths: Sendable, Equatable {
    let later: Double
    let earlier: Double

    package static let equal = PeriodLengths(later: 1, earlier: 1)

    func share(_ observed: Double) -> Double {
        let (laterRate, earlierRate) = (observed / later, (1 - observed) / earlier)
        return laterRate / (laterRate + earlierRate)
    }
}
