/// Makes inputs from others: cut, duplicated, spliced, and mixed with the tokens of parsers. The same seed makes the
/// same inputs.
struct InputMutation: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Returns an input for `parser`: one of its corpus or a frame of its own, changed a few times.
    mutating func input(for parser: InputParser) -> [UInt8] {
        var input = parser.corpus.randomElement(using: &self) ?? []
        if Int.random(in: 0..<8, using: &self) == 0, let frame = parser.frames.randomElement(using: &self) {
            input = shape(upTo: 200, in: frame)
        }
        for _ in 0..<Int.random(in: 1...6, using: &self) { change(&input, parser) }
        return Array(input.prefix(parser.limit))
    }

    private mutating func change(_ input: inout [UInt8], _ parser: InputParser) {
        let place = Int.random(in: 0...input.count, using: &self)
        let end = Int.random(in: place...input.count, using: &self)
        switch Int.random(in: 0..<9, using: &self) {
        case 0: input.removeSubrange(place..<end)
        case 1: input.insert(contentsOf: Array(input[place..<end]), at: place)
        case 2: input.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
        case 3: if place < input.count { input[place] = UInt8.random(in: .min ... .max, using: &self) }
        case 4: if place < input.count { input[place] ^= 1 << UInt8.random(in: 0..<8, using: &self) }
        case 5: input.insert(contentsOf: shape(upTo: 200, in: ([], [])), at: place)
        case 6:
            let other = parser.corpus.randomElement(using: &self) ?? []
            input.replaceSubrange(place..<end, with: other.suffix(Int.random(in: 0...other.count, using: &self)))
        case 7: input.replaceSubrange(place..<end, with: Self.tokens.randomElement(using: &self) ?? [])
        default: input.removeLast(input.count - place)
        }
    }

    private mutating func shape(upTo bytes: Int, in frame: (head: [UInt8], tail: [UInt8])) -> [UInt8] {
        guard let shape = HostileShape.all.randomElement(using: &self) else { return [] }
        return shape.text(of: Int.random(in: 0...bytes, using: &self), in: frame)
    }

    /// Values at which numbers and limits tend to break.
    private static let tokens: [[UInt8]] =
        [
            "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e308",
            "1e999", "0x",
            "-0", "00", "NaN", "inf", "\u{0}", "\u{FEFF}", "\u{2028}", "\u{202E}", "\u{AD}", "\u{1F1E9}", "\\ud800",
            "\\u0000", "%00",
            "%", "..", "4294967296", "2147483648", "-1", "\r", "\t", "--", "{1,200}", "[^]", "(?:", "\\b", "::", "[::]",
            "",
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ]
}
