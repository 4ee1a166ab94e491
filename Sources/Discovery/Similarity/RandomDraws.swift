import Glibc

/// Random draws from the distributions of a simulation, equal for the same seed on every machine. (SplitMix64: Steele,
/// Lea & Flood, OOPSLA 2014.)
package struct RandomDraws {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    private mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number above 0 and at most 1.
    package mutating func uniform() -> Double { Double((bits() >> 11) + 1) * 0x1p-53 }

    /// Draws from the standard normal distribution (Box & Muller).
    package mutating func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }

    /// Draws from a Poisson distribution of mean `mean`: the sum of two halves for a large mean, otherwise the number
    /// of arrivals in the time (Knuth).
    package mutating func poisson(_ mean: Double) -> Int64 {
        if mean > 16 { return poisson(mean / 2) + poisson(mean / 2) }
        let end = exp(-mean)
        var count: Int64 = -1
        var product = 1.0
        repeat {
            count += 1
            product *= uniform()
        } while product > end
        return count
    }

    /// Draws from a gamma distribution of scale 1 (Marsaglia & Tsang 2000).
    package mutating func gamma(_ shape: Double) -> Double {
        if shape < 1 { return gamma(shape + 1) * pow(uniform(), 1 / shape) }
        let d = shape - 1 / 3.0
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let v = pow(1 + c * x, 3)
            if v > 0, log(uniform()) < x * x / 2 + d - d * v + d * log(v) { return d * v }
        }
    }

    package mutating func beta(_ a: Double, _ b: Double) -> Double {
        let (first, second) = (gamma(a), gamma(b))
        // With very small parameters both can be 0; the result is then one end or the other.
        return first + second > 0 ? first / (first + second) : (uniform() < a / (a + b) ? 1 : 0)
    }
}
