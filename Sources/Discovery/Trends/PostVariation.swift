/// How posts of a topic differ in their share of the later period, and how surely that is known: what the trials of
/// clustered engagement are worth.
struct PostVariation: Sendable, Equatable {
    /// Trials that tell as much as one independent trial.
    let designEffect: Double
    /// Degrees of freedom of what is known of it.
    let degrees: Double

    /// Posts that happen to be more alike than chance would make them are no reason for a much narrower interval.
    private static let leastDesignEffect = 0.5
    private static let leastDegrees = 3.0
    /// If the engagement of the rarer period comes from fewer effective posts, how posts differ has not been seen.
    private static let rarerPosts = 3.0

    /// `sum` of `posts`, each of which has engagement.
    init(_ posts: [PeriodCounts], of sum: PeriodCounts, effectivePosts: Double) {
        let share = sum.laterShare
        let (total, count) = (Double(sum.total), Double(posts.count))
        var (squares, fourths, adjusted) = (0.0, 0.0, 0.0)
        for post in posts {
            let residual = Double(post.later) - Double(post.total) * share
            // A post pulls the share towards its own, so its residual is what it would be without it (the jackknife).
            let own = residual / (1 - Double(post.total) / total)
            squares += residual * residual
            fourths += residual * residual * residual * residual
            adjusted += own * own
        }
        let binomial = share * (1 - share) * total
        let seen = binomial > 0 ? adjusted * (count - 1) / count / binomial : 1
        let rarer = sum.later <= sum.earlier ? posts.map(\.later) : posts.map(\.earlier)
        guard Kish.effectiveCount(rarer) >= Self.rarerPosts else {
            // Posts may be all of one kind or the other: then each of them is one trial.
            designEffect = max(seen, total / effectivePosts)
            degrees = effectivePosts - 1
            return
        }
        designEffect = max(seen, Self.leastDesignEffect)
        // Few posts that are far off make a variance less certain than many that are a little off (Satterthwaite 1946).
        let kurtosis = squares > 0 ? count * fourths / (squares * squares) : 1
        let known = kurtosis > 1 ? 2 * count / (kurtosis - 1) : .infinity
        degrees = max(min(effectivePosts - 1, known), Self.leastDegrees)
    }
}

/// The number of equal parts that would tell as much as unequal ones: the square of their sum over the sum of their
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
