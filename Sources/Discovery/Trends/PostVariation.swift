/// The variation among posts of a topic in their share of the later period, its certainty, and the resulting worth of
/// clustered trials.
struct PostVariation: Sendable, Equatable {
    /// Number of clustered trials that carry the information of one independent trial.
    let designEffect: Double
    /// Degrees of freedom of the estimate.
    let degrees: Double
    /// Degrees of freedom for a posterior, which errs less on the wide side. They exceed the number of posts where
    /// these are all or nothing, because the share alone then tells how they vary.
    let posteriorDegrees: Double

    /// Trials that are not clustered.
    static let independent = PostVariation(designEffect: 1, degrees: .infinity, posteriorDegrees: .infinity)

    /// Lower bound of the design effect: posts more alike than chance would make them do not justify a much narrower
    /// interval.
    private static let leastDesignEffect = 0.5
    private static let leastDegrees = 3.0
    /// Smallest effective number of posts behind the rarer period's engagement. With fewer, the variation among posts
    /// is unobserved.
    private static let rarerPosts = 3.0

    private init(designEffect: Double, degrees: Double, posteriorDegrees: Double) {
        self.designEffect = designEffect
        self.degrees = degrees
        self.posteriorDegrees = posteriorDegrees
    }

    /// `sum`: total of `posts`, each of which has engagement.
    init(_ posts: [PeriodCounts], of sum: PeriodCounts, effectivePosts: Double) {
        let share = sum.laterShare
        let (total, count) = (Double(sum.total), Double(posts.count))
        var (squares, fourths, adjusted) = (0.0, 0.0, 0.0)
        for post in posts {
            let residual = Double(post.later) - Double(post.total) * share
            // A post pulls the share towards its own, so its residual is taken as if it were left out (the jackknife).
            let own = residual / (1 - Double(post.total) / total)
            squares += residual * residual
            fourths += residual * residual * residual * residual
            adjusted += own * own
        }
        let binomial = share * (1 - share) * total
        let seen = binomial > 0 ? adjusted * (count - 1) / count / binomial : 1
        let rarer = sum.later <= sum.earlier ? posts.map(\.later) : posts.map(\.earlier)
        guard Kish.effectiveCount(rarer) >= Self.rarerPosts else {
            // Each post may belong wholly to one period; each then counts as one trial.
            designEffect = max(seen, total / effectivePosts)
            degrees = effectivePosts - 1
            posteriorDegrees = .infinity
            return
        }
        designEffect = max(seen, Self.leastDesignEffect)
        // A few far outliers make a variance less certain than many slight deviations (Satterthwaite 1946).
        let kurtosis = squares > 0 ? count * fourths / (squares * squares) : 1
        let known = kurtosis > 1 ? 2 * count / (kurtosis - 1) : .infinity
        degrees = max(min(effectivePosts - 1, known), Self.leastDegrees)
        posteriorDegrees = kurtosis < 3 ? known * (effectivePosts - 1) / count : degrees
    }
}

/// The number of equal parts with the information of unequal ones: the square of their sum over the sum of their
/// squares (Kish 1965).
enum Kish {
    static func effectiveCount(_ parts: [Int64]) -> Double {
        let (sum, squares) = parts.reduce(into: (0.0, 0.0)) { result, part in
            result.0 += Double(part)
            result.1 += Double(part) * Double(part)
        }
        return squares > 0 ? sum * sum / squares : 0
    }
}
