/// A pattern as it was written.
indirect enum PatternNode: Equatable {
    case one(ScalarSet)
    case sequence([PatternNode])
    case either([PatternNode])
    /// `most` nil: as often as it comes.
    case repeated(PatternNode, least: Int, most: Int?, isGreedy: Bool)
    case assertion(PatternAssertion)

    /// Instructions it compiles to, no fewer than 1, and `limit` for whatever has more: known before any is written, so
    /// that nested repetitions cost nothing but their refusal.
    func size(limit: Int) -> Int {
        switch self {
        case .one, .assertion: return 1
        case .sequence(let nodes), .either(let nodes):
            var sum = 1
            for node in nodes where sum < limit { sum += node.size(limit: limit) + 2 }
            return min(sum, limit)
        case .repeated(let node, let least, let most, _):
            let copies = max(most ?? least + 1, 1)
            let (product, isTooLarge) = (node.size(limit: limit) + 2).multipliedReportingOverflow(by: copies)
            return isTooLarge ? limit : min(product + 2, limit)
        }
    }
}

/// What holds at a place between two scalars.
enum PatternAssertion: Equatable {
    case start, end, wordBoundary, noWordBoundary
}
