import Text

/// Folds the ranges of the classes of one pattern. A repeated range is folded once, and all ranges share a budget.
struct RangeFolding {
    /// Maximum number of characters in all folded ranges of a pattern. A range with more characters is never folded.
    static let limit = 2_000

    private var left = RangeFolding.limit
    private var known: [ClosedRange<UInt32>: [ClosedRange<UInt32>]] = [:]

    /// Returns the folded forms of the members of `range` that are single scalars outside it. Returns nil if the range
    /// has more characters than the budget has left. Single characters need no budget: a pattern is short.
    mutating func forms(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>]? {
        guard range.count > 1 else { return Self.folded(range) }
        guard range.count <= Self.limit else { return [] }
        if let forms = known[range] { return forms }
        guard range.count <= left else { return nil }
        left -= range.count
        let forms = Self.folded(range)
        known[range] = forms
        return forms
    }

    private static func folded(_ range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        var forms: Set<UInt32> = []
        for value in range {
            let folded = fold(value)
            if folded.count == 1, !range.contains(folded[0]) { forms.insert(folded[0]) }
        }
        return forms.sorted().map { $0...$0 }
    }

    /// Returns the folded form of a scalar.
    static func fold(_ value: UInt32) -> [UInt32] {
        guard let scalar = Unicode.Scalar(value) else { return [value] }
        return NameFolding.key(String(Character(scalar))).unicodeScalars.map(\.value)
    }
}
