/// The syntax tree of a pattern.
indirect enum PatternNode: Equatable {
    /// One scalar of a set, given by its place in ``PatternParser/sets``.
    case one(Int)
    case sequence([PatternNode])
    case either([PatternNode])
    /// Repetition. A nil `most` means no upper limit.
    case repeated(PatternNode, least: Int, most: Int?, isGreedy: Bool)
    case assertion(PatternAssertion)

    /// Returns the number of compiled instructions, at least 1, and `limit` for anything larger. It is computed before
    /// any instruction is written, so that excessive nested repetitions are refused at no cost.
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

/// A condition on the position between two scalars.
enum PatternAssertion: Equatable {
    case start, end, wordBoundary, noWordBoundary
}
