import Text

/// The scalars accepted at one position of a pattern.
struct ScalarSet: Hashable {
    enum Kind: Hashable {
        /// Letters, digits, marks and the underscore.
        case word
        case digit, space

        func contains(_ scalar: UInt32) -> Bool {
            if self == .word { return WordScalars.contains(scalar) }
            if scalar < 0x80 { return containsASCII(UInt8(scalar)) }
            guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
            return self == .space ? properties.isWhitespace : properties.generalCategory == .decimalNumber
        }

        private func containsASCII(_ byte: UInt8) -> Bool {
            self == .space
                ? byte == 0x20 || (0x09...0x0D).contains(byte)
                : byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        }
    }

    private(set) var ranges: [ClosedRange<UInt32>] = []
    private(set) var kinds: [Kind] = []
    /// Excluded kinds. Everything outside one of these kinds is accepted.
    private(set) var otherThan: [Kind] = []
    var isNegated = false

    /// Every scalar except the line feed.
    static let anything: ScalarSet = {
        var set = ScalarSet()
        set.insert(0x0A...0x0A)
        set.isNegated = true
        return set
    }()

    init() {}

    init(_ scalar: UInt32) { ranges = [scalar...scalar] }

    init(_ kind: Kind, isNegated: Bool) {
        kinds = [kind]
        self.isNegated = isNegated
    }

    mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    mutating func insert(_ kind: Kind, isNegated: Bool) {
        if isNegated { otherThan.append(kind) } else { kinds.append(kind) }
    }

    /// The number of steps of a lookup.
    var weight: Int { 1 + (ranges.count + kinds.count + otherThan.count) / 4 }

    func contains(_ scalar: UInt32) -> Bool {
        let isIn =
            ranges.contains { $0.contains(scalar) } || kinds.contains { $0.contains(scalar) }
            || otherThan.contains { !$0.contains(scalar) }
        return isIn != isNegated
    }
}
