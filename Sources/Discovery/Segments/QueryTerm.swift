/// A word or phrase to search for, with its alternatives.
struct QueryTerm {
    /// Phrases that count as the term, with their nearness in meaning, 0...1.
    let alternatives: [String: Double]
    /// Weight relative to the other terms of the query.
    var weight: Double
    /// Stem of a single word; nil for a phrase.
    let stem: String?
}

/// Splits the words of a command into terms, for one video.
struct QueryReader {
    let index: SegmentIndex
    let thesaurus: Thesaurus
    /// Stems of the video's title: the topic of the whole video does not tell its parts apart.
    let topic: Set<String>

    private enum Weight {
        static let word = 1.0
        /// Weight of words such as "exercise" and "step", and of words in the title.
        static let generic = 0.25
    }

    /// Nearness of a word with one wrong letter.
    private static let misspelt = 0.85
    /// Shortest word to correct; shorter words have too many neighbours.
    private static let spellingLength = 4

    /// Returns the first `limit` terms of `words`, as written, without stop words. Only their words are corrected,
    /// because that compares a word with the whole vocabulary.
    func terms(_ words: [String], limit: Int) -> [QueryTerm] {
        let stems = words.map(PorterStemmer.stem)
        let isOnlyGeneric = stems.allSatisfy(isGeneric)
        var terms: [QueryTerm] = []
        var start = 0
        while start < stems.count, terms.count < limit {
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

    /// Returns true if a stem carries little meaning in this video.
    func isGeneric(_ stem: String) -> Bool {
        thesaurus.genericWords.contains(stem)
            || topic.contains(stem) && !thesaurus.alternatives(to: stem).keys.contains(where: index.has)
    }

    /// Returns the length of the longest phrase of the thesaurus at the front, or of two words that a label joins into
    /// one.
    private func phraseLength(_ stems: ArraySlice<String>) -> Int {
        for length in stride(from: min(thesaurus.longestPhrase, stems.count), to: 1, by: -1) {
            let phrase = Thesaurus.phrase(stems.prefix(length))
            guard thesaurus.knows(phrase) else { continue }
            // Speech may have the words of a phrase apart: "for pigeon" and "pose".
            let isApart =
                index.isDerived && stems.prefix(length).allSatisfy { index.has($0) || isGeneric($0) }
                && !thesaurus.alternatives(to: phrase).keys.contains(where: index.has)
            if !isApart { return length }
        }
        let pair = stems.prefix(2)
        return pair.count == 2 && index.stems.contains(pair.joined()) ? 2 : 1
    }

    /// Returns the words of the video and the thesaurus that `word` may be a misspelling of.
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

/// Damerau's errors: an extra letter, a missing letter, a wrong letter, two neighbours swapped.
enum Spelling {
    /// Returns true if exactly one error turns one word into the other.
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
