/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same seed gives the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

// Draws of its own: the standard library does not guarantee the numbers that `random(in:)` and `shuffled()` draw.
extension SeededGenerator {
    /// Returns a number from 0 to `bound` - 1, all equally likely up to 2^-32.
    mutating func below(_ bound: Int) -> Int { Int(((next() >> 32) &* UInt64(bound)) >> 32) }

    /// Returns true in `percent` of 100 cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func shuffle<Element>(_ elements: inout [Element]) {
        for index in stride(from: elements.count - 1, to: 0, by: -1) { elements.swapAt(index, below(index + 1)) }
    }
}
