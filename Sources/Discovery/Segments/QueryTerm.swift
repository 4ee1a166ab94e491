/// A word or phrase that is looked for, with everything that counts as it.
struct QueryTerm {
    /// Phrases, and how nearly each means what was asked for: 0...1.
    let alternatives: [String: Double]
    /// How much it says beside the other terms of the query.
    var weight: Double
    /// The stem, of a single word.
    let stem: String?
}

/// Takes the words of a command apart into terms, for one video.
struct QueryReader {
    let index: SegmentIndex
    let thesaurus: Thesaurus
    /// Stems of the video's title: what all of it is about tells no part from another.
    let topic: Set<String>

    private enum Weight {
        static let word = 1.0
        /// "Exercise", "step", and what stands in the title: said in passing.
        static let generic = 0.25
    }

    /// Of a word that is written with one letter wrong.
    private static let misspelt = 0.85
    /// Shorter words have too many neighbours.
    private static let spellingLength = 4

    /// `words`: without stop words, as written.
    func terms(_ words: [String]) -> [QueryTerm] {
        let stems = words.map(PorterStemmer.stem)
        let isOnlyGeneric = stems.allSatisfy(isGeneric)
        var terms: [QueryTerm] = []
        var start = 0
        while start < stems.count {
            let length = phraseLength(stems[start...])
            let phrase = Thesaurus.phrase(stems[start..<(start + length)])
            let isGeneric = length == 1 && isGeneric(phrase) && !isOnlyGeneric
            var alternatives = thesaurus.alternatives(to: phrase)
            if length == 2 { alternatives[stems[start] + stems[start + 1]] = Thesaurus.Nearness.same }
            if length == 1, !index.stems.contains(phrase), !thesaurus.knows(phrase) {
                alternatives.merge(corrections(of: words[start]), uniquingKeysWith: max)
            }
            terms.append(
                QueryTerm(
                    alternatives: alternatives, weight: isGeneric ? Weight.generic : Weight.word,
                    stem: length == 1 ? phrase : nil))
            start += length
        }
        return terms
    }

    /// Whether a stem says little here.
    func isGeneric(_ stem: String) -> Bool {
        thesaurus.genericWords.contains(stem)
            || topic.contains(stem) && !thesaurus.alternatives(to: stem).keys.contains(where: index.has)
    }

    /// Of the longest phrase that the thesaurus has at the front, or of two words that a label has as one.
    private func phraseLength(_ stems: ArraySlice<String>) -> Int {
        for length in stride(from: min(thesaurus.longestPhrase, stems.count), to: 1, by: -1)
        where thesaurus.knows(Thesaurus.phrase(stems.prefix(length))) {
            return length
        }
        let pair = stems.prefix(2)
        return pair.count == 2 && index.stems.contains(pair.joined()) ? 2 : 1
    }

    /// What `word` may have been meant to be, by words of the video and of the thesaurus.
    private func corrections(of word: String) -> [String: Double] {
        let letters = Array(word.unicodeScalars)
        guard letters.count >= Self.spellingLength, NumberWords.cardinal(word) == nil else { return [:] }
        var found: [String: Double] = [:]
        for known in [index.words, thesaurus.words].joined() {
            let length = known.unicodeScalars.count
            guard abs(length - letters.count) <= 1, length >= Self.spellingLength,
                Spelling.isOneEditApart(letters, Array(known.unicodeScalars))
            else { continue }
            for (phrase, nearness) in thesaurus.alternatives(to: PorterStemmer.stem(known)) {
                found[phrase] = max(found[phrase] ?? 0, nearness * Self.misspelt)
            }
        }
        return found
    }
}

/// Damerau's errors: a letter more, a letter less, another letter, two neighbours swapped.
enum Spelling {
    /// Whether exactly one error makes one word of the other.
    static func isOneEditApart(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        let head = zip(short, long).prefix { $0 == $1 }.count
        let (shortRest, longRest) = (short[head...], long[head...])
        switch long.count - short.count {
        case 0:
            guard let first = shortRest.first, let other = longRest.first else { return false }
            if shortRest.dropFirst().elementsEqual(longRest.dropFirst()) { return true }
            return shortRest.count > 1 && shortRest.dropFirst().first == other && longRest.dropFirst().first == first
                && shortRest.dropFirst(2).elementsEqual(longRest.dropFirst(2))
        case 1: return shortRest.elementsEqual(longRest.dropFirst())
        default: return false
        }
    }
}
