import SocialGraph

/// The share of engagement in the later of two periods of equal length, with a 95 % interval.
///
/// Counts of both periods are modelled as Poisson. Conditional on their sum, the count of the later one is binomial
/// with the share λ₂/(λ₁+λ₂) (Przyborowski & Wilenski 1940). Its interval is Wilson's (1927; recommended by Brown, Cai
/// & DasGupta 2001). Engagement with a topic is clustered by post, so its trials are divided by the design effect
/// observed among the posts (Rao & Scott 1992), with Student's t instead of the normal quantile (Korn & Graubard 1998).
/// `docs/decisions/0013-business-trends.md` states the coverage.
///
/// Without two whole periods of history, the interval is that of ``SharePosterior``, whose prior stands in for what has
/// not been observed. `docs/decisions/0073-young-trends.md` states its coverage.
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
        self.init(counts, .independent, lengths)
    }

    /// Computes the statistics of a topic, whose trials are clustered by post. Nil below
    /// ``DiscoveryLimits/ratedEngagements``. Few posts, or one post with nearly all of the engagement, do not show the
    /// variation among posts: below ``DiscoveryLimits/ratedPosts`` effective posts, an established topic has no
    /// statistics, and a young one those of the prior.
    package init?(posts: [PeriodCounts], lengths: PeriodLengths = .equal) {
        let posts = posts.filter { $0.total > 0 }
        let sum = posts.reduce(into: PeriodCounts()) { $0.add($1) }
        guard sum.total >= DiscoveryLimits.ratedEngagements else { return nil }
        let effectivePosts = Kish.effectiveCount(posts.map(\.total))
        guard effectivePosts >= DiscoveryLimits.ratedPosts else {
            guard !lengths.areWhole else { return nil }
            self.init(.prior, designEffect: 1)
            return
        }
        self.init(sum, PostVariation(posts, of: sum, effectivePosts: effectivePosts), lengths)
    }

    private init(_ counts: PeriodCounts, _ variation: PostVariation, _ lengths: PeriodLengths) {
        let (share, trials) = (counts.laterShare, Double(counts.total) / variation.designEffect)
        guard lengths.areWhole else {
            // A posterior has no degrees of freedom: trials of uncertain worth count for less.
            let width = Student.quantile(degrees: variation.posteriorDegrees) / Student.normal
            let worth = trials / (width * width)
            self.init(
                SharePosterior(later: worth * share, earlier: worth * (1 - share), lengths: lengths),
                designEffect: variation.designEffect)
            return
        }
        let interval = Wilson.interval(
            share: share, trials: trials, quantile: Student.quantile(degrees: variation.degrees))
        self.init(
            rating: lengths.share(share), lower: lengths.share(interval.lower), upper: lengths.share(interval.upper),
            designEffect: variation.designEffect)
    }

    private init(_ posterior: SharePosterior, designEffect: Double) {
        let quantiles = posterior.quantiles([0.025, 0.5, 0.975])
        self.init(rating: quantiles[1], lower: quantiles[0], upper: quantiles[2], designEffect: designEffect)
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

/// The lengths of the two periods, as far as a post or topic existed in them. For unequal lengths, the share is
/// converted to that of equal ones: the rates stay, so the odds, and the bounds of the interval with them, change by
/// the ratio of the lengths.
package struct PeriodLengths: Sendable, Equatable {
    package let later: Double
    /// 0 for a post or topic that did not yet exist.
    package let earlier: Double
    /// False if the post or topic did not exist in all of the earlier period.
    let areWhole: Bool

    package init(later: Double, earlier: Double, areWhole: Bool = true) {
        self.later = later
        self.earlier = earlier
        self.areWhole = areWhole
    }

    package static let equal = PeriodLengths(later: 1, earlier: 1)

    func share(_ observed: Double) -> Double {
        let (laterRate, earlierRate) = (observed / later, (1 - observed) / earlier)
        return laterRate / (laterRate + earlierRate)
    }
}
