/// A word or phrase to search for, with its alternatives.
struct QueryTerm {
    /// Phrases that count as the term, with their nearness in meaning, 0...1.
    let alternatives: [String: Double]
    /// Weight relative to the other terms of the query.
    var weight: Double
    /// Stem of a single word; nil for a phrase.
    let stem: String?
}

/// Terms computed for one command, which asks for those of the same words several times.
final class KnownTerms {
    private var terms: [[String]: [QueryTerm]] = [:]
    /// Number of lists of words whose terms were computed.
    private(set) var computed = 0

    func terms(of words: [String], _ compute: () -> [QueryTerm]) -> [QueryTerm] {
        if let known = terms[words] { return known }
        computed += 1
        let new = compute()
        terms[words] = new
        return new
    }
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

    /// Returns the first `limit` terms of `words`, as written, without stop words. Only their words are corrected,
    /// because that compares a word with many others.
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
        guard letters.count >= Vocabulary.shortestWord, NumberWords.cardinal(word) == nil else { return [:] }
        var found: [String: Double] = [:]
        for known in index.vocabulary.words(near: letters) + thesaurus.vocabulary.words(near: letters) {
            for (phrase, nearness) in thesaurus.alternatives(to: PorterStemmer.stem(known)) {
                found[phrase] = max(found[phrase] ?? 0, nearness * Self.misspelt)
            }
        }
        return found
    }
}
