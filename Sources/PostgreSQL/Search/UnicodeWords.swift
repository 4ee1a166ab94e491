/// Words of a text as SQLite's FTS5 finds them with `unicode61 remove_diacritics 2`, so that both engines find the same
/// documents. A word is a run of letters, digits and private scalars, in lower case and without diacritics. Marks other
/// than a few diacritics separate words: in some scripts a word of the language is several words here.
enum UnicodeWords {
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch kind(of: scalar) {
            case .letter(let folded): word.append(folded)
            // A word cannot begin with a mark.
            case .mark where !word.isEmpty: break
            case .mark, .separator:
                if !word.isEmpty { words.append(String(word)) }
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    private enum Kind {
        case letter(Unicode.Scalar)
        case mark
        case separator
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        let value = scalar.value
        if value >= 0x300, UnicodeWordTables.marks.contains(where: { $0.contains(value) }) { return .mark }
        if isSeparator(value) { return .separator }
        return .letter(folds[value] ?? scalar)
    }

    /// Runs of scalars of words and of separators alternate; a run with an odd number has separators.
    private static func isSeparator(_ value: UInt32) -> Bool {
        var (low, high) = (0, starts.count)
        // The number of runs that start at or below the scalar.
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low.isMultiple(of: 2)
    }

    /// The first scalar of each run; the runs after the first and the last one included.
    private static let starts: [UInt32] = UnicodeWordTables.runs.reduce(into: [0]) { starts, length in
        starts.append((starts.last ?? 0) + UInt32(length))
    }

    private static let folds: [UInt32: Unicode.Scalar] = UnicodeWordTables.folds.reduce(into: [:]) { folds, fold in
        for place in 0..<fold.count {
            folds[fold.first + place * fold.step] = Unicode.Scalar(fold.target + place * fold.targetStep)
        }
    }
}

/// Scalars at equal distances that are folded to scalars at equal distances.
struct UnicodeFold {
    let first, count, step, target, targetStep: UInt32

    init(_ first: UInt32, _ count: UInt32, _ step: UInt32, _ target: UInt32, _ targetStep: UInt32) {
        (self.first, self.count, self.step) = (first, count, step)
        (self.target, self.targetStep) = (target, targetStep)
    }
}
