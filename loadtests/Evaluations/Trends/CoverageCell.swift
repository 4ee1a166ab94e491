import Discovery
import Glibc

/// One kind of topic, or of single post, that a simulation draws repeatedly.
struct CoverageCell: Sendable, Equatable {
    /// The distribution of engagement over posts.
    enum Sizes: String, Sendable, CaseIterable {
        /// All equal.
        case even
        /// Gamma, shape 0.7: many small ones, few large ones.
        case skewed
        /// Log-normal, sigma 1.2: occasionally one post has most of it.
        case viral
    }

    /// Number of posts; 1 is a single post.
    let posts: Int
    /// Mean number of engagements of a post in both periods together.
    let engagements: Double
    let sizes: Sizes
    /// Correlation of any two engagements of one post (intra-class). At 0, posts do not differ; at 0.8, nearly every
    /// post has all of its engagement in one period.
    let correlation: Double
    /// The true share of the later period.
    let truth: Truth
    /// Number of periods in which the topic existed: 2 or more for all but young ones.
    var history = 2.0
    /// The meaning of `engagements` for a young topic.
    var volume = Volume.observed

    /// The origin of a true share.
    enum Truth: Sendable, Equatable {
        case fixed(Double)
        /// Drawn anew for each draw from a beta distribution with both parameters equal. At 1 it is the prior of
        /// young topics.
        case beta(Double)

        static let prior = Truth.beta(1)
    }

    enum Volume: Sendable {
        /// The mean number of engagements in the time observed, so that it says nothing about the share.
        case observed
        /// The mean number of engagements had the topic existed in both periods, so that topics with a small share are
        /// seen less.
        case whole
    }

    /// Single posts.
    static let singles: [CoverageCell] = [20, 30, 50, 100, 300, 1_000].flatMap { engagements in
        shares.map {
            CoverageCell(posts: 1, engagements: engagements, sizes: .even, correlation: 0, truth: .fixed($0))
        }
    }

    /// Topics.
    static let topics: [CoverageCell] = [12, 20, 40, 120].flatMap { posts in
        Sizes.allCases.flatMap { sizes in
            [0, 0.05, 0.2, 0.5, 0.8].flatMap { correlation in
                [5.0, 30].flatMap { engagements in
                    shares.map {
                        CoverageCell(
                            posts: posts, engagements: engagements, sizes: sizes, correlation: correlation,
                            truth: .fixed($0))
                    }
                }
            }
        }
    }

    private static let shares = [0.1, 0.3, 0.5, 0.8, 0.95]

    /// The lengths of the periods observed, in periods.
    var lengths: PeriodLengths {
        history >= 2 ? .equal : PeriodLengths(later: min(history, 1), earlier: max(history - 1, 0), areWhole: false)
    }

    /// Returns one draw of the true share and of the counts of its posts.
    func draw(_ random: inout RandomDraws) -> (share: Double, posts: [PeriodCounts]) {
        let share =
            switch truth {
            case .fixed(let share): share
            case .beta(let weight): random.beta(weight, weight)
            }
        let (later, earlier) = (min(history, 1), min(max(history - 1, 0), 1))
        let observed = volume == .observed ? share * later + (1 - share) * earlier : 1
        let posts = (0..<posts).map { _ in
            let size = size(&random) / observed
            let spread = correlation > 0 ? 1 / correlation - 1 : 0
            let own = correlation > 0 ? random.beta(share * spread, (1 - share) * spread) : share
            return PeriodCounts(
                later: random.poisson(size * own * later), earlier: random.poisson(size * (1 - own) * earlier))
        }
        return (share, posts)
    }

    /// Returns the mean number of engagements of a post.
    private func size(_ random: inout RandomDraws) -> Double {
        switch sizes {
        case .even: engagements
        case .skewed: engagements * random.gamma(0.7) / 0.7
        case .viral: engagements * Self.logNormal(1.2, &random)
        }
    }

    /// Returns a log-normal number with mean 1.
    private static func logNormal(_ sigma: Double, _ random: inout RandomDraws) -> Double {
        exp(sigma * random.normal() - sigma * sigma / 2)
    }
}
