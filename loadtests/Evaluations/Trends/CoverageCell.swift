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
    let share: Double

    /// Single posts.
    static let singles: [CoverageCell] = [20, 30, 50, 100, 300, 1_000].flatMap { engagements in
        shares.map {
            CoverageCell(posts: 1, engagements: engagements, sizes: .even, correlation: 0, share: $0)
        }
    }

    /// Topics.
    static let topics: [CoverageCell] = [12, 20, 40, 120].flatMap { posts in
        Sizes.allCases.flatMap { sizes in
            [0, 0.05, 0.2, 0.5, 0.8].flatMap { correlation in
                [5.0, 30].flatMap { engagements in
                    shares.map {
                        CoverageCell(
                            posts: posts, engagements: engagements, sizes: sizes, correlation: correlation, share: $0)
                    }
                }
            }
        }
    }

    private static let shares = [0.1, 0.3, 0.5, 0.8, 0.95]

    /// Returns one draw of the counts of its posts.
    func draw(_ random: inout RandomDraws) -> [PeriodCounts] {
        (0..<posts).map { _ in
            let size =
                switch sizes {
                case .even: engagements
                case .skewed: engagements * random.gamma(0.7) / 0.7
                case .viral: engagements * Self.logNormal(1.2, &random)
                }
            let spread = correlation > 0 ? 1 / correlation - 1 : 0
            let own = correlation > 0 ? random.beta(share * spread, (1 - share) * spread) : share
            return PeriodCounts(later: random.poisson(size * own), earlier: random.poisson(size * (1 - own)))
        }
    }

    /// Returns a log-normal number with mean 1.
    private static func logNormal(_ sigma: Double, _ random: inout RandomDraws) -> Double {
        exp(sigma * random.normal() - sigma * sigma / 2)
    }
}
