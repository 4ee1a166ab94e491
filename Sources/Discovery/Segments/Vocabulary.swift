/// Words by length, for the correction of spelling. Their letters lie one after another, so that a search compares them
/// where they are.
struct Vocabulary: Sendable {
    /// Length of the shortest word to correct; shorter words have too many neighbours.
    static let shortestWord = 4

    /// Letters of all words of each length.
    private var letters: [Int: [Unicode.Scalar]] = [:]

    /// - Parameter words: different words; those shorter than ``shortestWord`` are ignored.
    init(_ words: some Sequence<String>) {
        for word in words {
            let length = word.unicodeScalars.count
            guard length >= Self.shortestWord else { continue }
            letters[length, default: []].append(contentsOf: word.unicodeScalars)
        }
    }

    /// Memory for the letters, in bytes.
    var bytes: Int { letters.values.reduce(0) { $0 + $1.capacity * MemoryLayout<Unicode.Scalar>.stride } }

    /// Returns the words that exactly one typing error turns into `word`, which has at least ``shortestWord`` letters.
    func words(near word: [Unicode.Scalar]) -> [String] {
        var found: [String] = []
        forEachCandidate(near: word) { known in
            guard Spelling.isOneEditApart(word[...], known) else { return }
            found.append(String(String.UnicodeScalarView(known)))
        }
        return found
    }

    /// Calls `body` with each word whose first or last letter is that of `word`, and whose length differs by at most
    /// one. An error at one end of a word leaves the other end as it is.
    func forEachCandidate(near word: [Unicode.Scalar], _ body: (ArraySlice<Unicode.Scalar>) -> Void) {
        guard let first = word.first, let last = word.last else { return }
        for length in max(1, word.count - 1)...(word.count + 1) {
            guard let words = letters[length] else { continue }
            for start in stride(from: 0, to: words.count, by: length)
            where words[start] == first || words[start + length - 1] == last {
                body(words[start..<(start + length)])
            }
        }
    }
}

/// Damerau's errors: an extra letter, a missing letter, a wrong letter, two neighbours swapped.
enum Spelling {
    /// Returns true if exactly one error turns one word into the other.
    static func isOneEditApart(_ left: ArraySlice<Unicode.Scalar>, _ right: ArraySlice<Unicode.Scalar>) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        let extra = long.count - short.count
        guard extra <= 1 else { return false }
        var (place, other) = (short.startIndex, long.startIndex)
        while place < short.endIndex, short[place] == long[other] {
            place += 1
            other += 1
        }
        if extra == 1 { return short[place...].elementsEqual(long[(other + 1)...]) }
        guard place < short.endIndex else { return false }
        if short[(place + 1)...].elementsEqual(long[(other + 1)...]) { return true }
        return place + 1 < short.endIndex && short[place + 1] == long[other] && short[place] == long[other + 1]
            && short[(place + 2)...].elementsEqual(long[(other + 2)...])
    }
}
