import Glibc

/// The posterior distribution of the share θ = λ₂/(λ₁+λ₂) of a post or topic that is younger than two periods.
///
/// **Prior**: uniform, the beta distribution with both parameters 1. Every share is as likely as any other, as it
/// nearly is among the tags and channels of YouTube (`docs/decisions/0073-young-trends.md`).
///
/// **Likelihood**: an engagement falls into the later period with probability θL/(θL + (1−θ)E), where L and E are the
/// lengths observed of the two periods. The shorter E is, the less a share of observed engagement says about θ. With
/// nothing observed of the earlier period, it says nothing, and the posterior is the prior.
struct SharePosterior: Equatable {
    /// Engagements of each period, in independent trials.
    private let later: Double
    private let earlier: Double
    /// The logarithm of L/E; nil if nothing was observed of the earlier period.
    private let shift: Double?

    /// Both parameters of the prior.
    private static let weight = 1.0
    /// Largest distance of a mode from even odds, and of the ends of a distribution from its mode, in log odds.
    private static let reach = 40.0
    /// Beyond a density of e^−14 of its maximum, the distribution has less than 1 in 100,000 of its mass.
    private static let negligible = 14.0
    private static let steps = 200

    static let prior = SharePosterior(later: 0, earlier: 0, lengths: PeriodLengths(later: 1, earlier: 0))

    init(later: Double, earlier: Double, lengths: PeriodLengths) {
        shift = lengths.earlier > 0 ? log(lengths.later / lengths.earlier) : nil
        (self.later, self.earlier) = (later, earlier)
    }

    /// Returns the shares below which θ lies with each of `probabilities`.
    func quantiles(_ probabilities: [Double]) -> [Double] {
        // The quantiles of the uniform distribution are the probabilities.
        guard let shift else { return probabilities }
        let mode = Self.bisection(from: -Self.reach, to: Self.reach, halvings: 24) { slope(at: $0, shift) > 0 }
        let floor = logDensity(at: mode, shift) - Self.negligible
        func end(_ direction: Double) -> Double {
            mode + direction
                * Self.bisection(from: 0, to: Self.reach, halvings: 20) {
                    logDensity(at: mode + direction * $0, shift) > floor
                }
        }
        let (first, last) = (end(-1), end(1))
        let step = (last - first) / Double(Self.steps)
        let densities = (0...Self.steps).map { exp(logDensity(at: first + Double($0) * step, shift) - floor) }
        let masses = densities.indices.dropFirst().map { (densities[$0 - 1] + densities[$0]) / 2 }
        let total = masses.reduce(0, +)
        return probabilities.map { probability in
            var (rest, index) = (probability * total, 0)
            while index < masses.count - 1, masses[index] < rest {
                rest -= masses[index]
                index += 1
            }
            let part = Self.part(of: rest, from: densities[index], to: densities[index + 1])
            return Self.share(first + (Double(index) + part) * step)
        }
    }

    /// Returns the part of a step before which `mass` lies, if the density is linear in it.
    private static func part(of mass: Double, from low: Double, to high: Double) -> Double {
        let root = max(low * low + 2 * (high - low) * mass, 0).squareRoot()
        return low + root > 0 ? min(2 * mass / (low + root), 1) : 0
    }

    // MARK: The density of the log odds, which is log-concave

    private func logDensity(at odds: Double, _ shift: Double) -> Double {
        // Since the logarithm of 1 − share(x) is that of share(x), less x, two logarithms do for four.
        let (share, observed) = (Self.logShare(odds), Self.logShare(odds + shift))
        return Self.weight * (2 * share - odds) + later * observed + earlier * (observed - odds - shift)
    }

    private func slope(at odds: Double, _ shift: Double) -> Double {
        Self.weight * (1 - 2 * Self.share(odds)) + later - (later + earlier) * Self.share(odds + shift)
    }

    private static func share(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }

    /// The logarithm of the share, without overflow.
    private static func logShare(_ odds: Double) -> Double {
        odds < 0 ? odds - log1p(exp(odds)) : -log1p(exp(-odds))
    }

    /// Returns the number up to which `isBelow` is true. 20 halvings of 40 log odds leave 0.00004, less than a step of
    /// the quadrature even after a billion engagements.
    private static func bisection(
        from low: Double, to high: Double, halvings: Int, _ isBelow: (Double) -> Bool
    ) -> Double {
        var (low, high) = (low, high)
        for _ in 0..<halvings {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
