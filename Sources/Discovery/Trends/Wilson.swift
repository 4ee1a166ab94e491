/// Wilson's score interval of a binomial share (JASA 1927).
enum Wilson {
    /// `trials` may be fractional, as effective counts are. `quantile`: 1.96 for 95 %, or Student's.
    static func interval(share: Double, trials: Double, quantile: Double) -> (lower: Double, upper: Double) {
        let spread = quantile * quantile / trials
        let centre = share + spread / 2
        let reach = (spread * (share * (1 - share) + spread / 4)).squareRoot()
        return (max((centre - reach) / (1 + spread), 0), min((centre + reach) / (1 + spread), 1))
    }
}

/// The value that the absolute value of Student's t exceeds one time in twenty.
enum Student {
    /// Quantile of the normal distribution.
    static let normal = 1.959963984540054

    /// Returns the quantile by the expansion of Abramowitz & Stegun 26.7.5: within 0.005 from 3 degrees of freedom on.
    /// `degrees` may be fractional.
    static func quantile(degrees: Double) -> Double {
        let z = normal
        let square = z * z
        let terms = [
            (square + 1) / 4,
            ((5 * square + 16) * square + 3) / 96,
            (((3 * square + 19) * square + 17) * square - 15) / 384,
            ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92_160,
        ]
        return z * (1 + terms.reversed().reduce(0) { ($0 + $1) / degrees })
    }
}
