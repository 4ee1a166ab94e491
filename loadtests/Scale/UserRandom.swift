import Foundation

/// Random numbers of one user: the same for the same seed, in whatever order users are visited. (SplitMix64: Steele,
/// Lea and Flood, OOPSLA 2014.)
struct UserRandom {
    private var state: UInt64

    init(seed: UInt64, user: Int) {
        state = Self.mix(seed &+ UInt64(user) &* 0xD134_2543_DE82_EF95)
    }

    /// A number from 0 to less than 1.
    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Double(Self.mix(state) >> 11) * 0x1p-53
    }

    /// A number of the standard normal distribution (Box and Muller, 1958).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - fraction())).squareRoot()
        return radius * cos(2 * .pi * fraction())
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
