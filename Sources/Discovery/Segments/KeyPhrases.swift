import Glibc

/// Labels passages of a transcript by their key phrases.
///
/// Candidates are those of RAKE (Rose, Engel, Cramer & Cowley 2010): runs of content words, also around a stop word
/// ("whisk the eggs"), within a cue. A word weighs its frequency in the passage times its rarity among passages
/// (Salton & Buckley 1988), a phrase the sum of its words over the root of their number. The work is linear in the
/// words, since a candidate has at most ``longest``.
struct KeyPhrases {
    private let passages: [[Phrase]]

    /// Largest number of words in a phrase, of which stop words in a row, and of phrases in a label.
    private static let longest = 4
    private static let stopWordsInARow = 1
    private static let phrasesInLabel = 2
    /// Weight of a number, which seldom is what a passage is about.
    private static let numberWeight = 0.3

    private struct Phrase {
        let words: ArraySlice<Word>
        let stems: Set<String>
        let score: Double
    }

    /// `passages`: the cues of each passage, as texts.
    init(passages: [[String]], thesaurus: Thesaurus) {
        let cues = passages.map { $0.map { Word.words(of: $0, thesaurus) } }
        let rarity = Self.rarity(of: cues)
        self.passages = cues.map { cues in
            var weights: [String: Double] = [:]
            for stem in cues.joined().compactMap(\.stem) { weights[stem, default: 0] += rarity[stem] ?? 0 }
            return cues.flatMap { Self.candidates(in: $0, weights) }
        }
    }

    /// Returns the best phrases of a passage, in the order in which they are said; nil if it has only stop words.
    /// `length`: the greatest number of Unicode scalars.
    func label(of passage: Int, length: Int) -> String? {
        let best = passages[passage].enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        var chosen: [(offset: Int, text: String)] = []
        var (stems, left) = (Set<String>(), length)
        for (offset, phrase) in best where chosen.count < Self.phrasesInLabel {
            let text = phrase.words.map(\.written).joined(separator: " ")
            let room = text.unicodeScalars.count + (chosen.isEmpty ? 0 : 2)
            guard stems.isDisjoint(with: phrase.stems), room <= left else { continue }
            stems.formUnion(phrase.stems)
            left -= room
            chosen.append((offset, text))
        }
        guard !chosen.isEmpty else { return nil }
        let label = chosen.sorted { $0.offset < $1.offset }.map(\.text).joined(separator: ", ")
        return label.prefix(1).uppercased() + label.dropFirst()
    }

    /// Returns the logarithm of how rare each stem is among the passages.
    private static func rarity(of passages: [[[Word]]]) -> [String: Double] {
        var passagesWith: [String: Int] = [:]
        for passage in passages {
            for stem in Set(passage.joined().compactMap(\.stem)) { passagesWith[stem, default: 0] += 1 }
        }
        return passagesWith.mapValues { log(1 + Double(passages.count) / Double($0)) }
    }

    private static func candidates(in cue: [Word], _ weights: [String: Double]) -> [Phrase] {
        cue.indices.filter { cue[$0].stem != nil }.flatMap { start in
            var (found, stems, score, stopWords) = ([Phrase](), Set<String>(), 0.0, 0)
            for index in start..<min(start + longest, cue.count) {
                if let stem = cue[index].stem {
                    stopWords = 0
                    if stems.insert(stem).inserted {
                        score += (weights[stem] ?? 0) * (cue[index].isNumber ? numberWeight : 1)
                    }
                    let worth = score / Double(stems.count).squareRoot()
                    found.append(Phrase(words: cue[start...index], stems: stems, score: worth))
                } else {
                    stopWords += 1
                }
                if stopWords > stopWordsInARow || cue[index].endsClause { break }
            }
            return found
        }
    }
}

extension KeyPhrases {
    /// A word as written in a cue.
    private struct Word {
        /// Without punctuation around it.
        let written: Substring
        /// Nil for a stop word.
        let stem: String?
        let isNumber: Bool
        /// True if punctuation follows.
        let endsClause: Bool

        /// Words of speech that say nothing about its topic, besides the stop words of the thesaurus.
        private static let fillers: Set = [
            "okay", "ok", "alright", "right", "well", "next", "first", "gonna", "gotta", "hey", "hi", "guys", "yeah",
            "yes", "no", "not", "oh", "um", "uh", "little", "nice", "good", "great", "got", "get", "take", "lot",
            "back", "one", "theres", "heres", "dont", "youll", "youve", "ive", "cant", "doesnt", "didnt", "isnt",
            "wont", "were", "more", "most", "much", "same", "still", "even", "never", "always", "until", "because",
            "later", "today",
        ]

        static func words(of cue: String, _ thesaurus: Thesaurus) -> [Word] {
            cue.split(whereSeparator: \.isWhitespace).compactMap { token in
                let folded = WordFolding.words(String(token))
                guard !folded.isEmpty else { return nil }
                let isContent = folded.contains { !thesaurus.stopWords.contains($0) && !fillers.contains($0) }
                let written = token.trimmingPunctuation()
                return Word(
                    written: written, stem: isContent ? folded.map(PorterStemmer.stem).joined() : nil,
                    isNumber: folded.allSatisfy { NumberWords.cardinal($0) != nil },
                    endsClause: written.endIndex != token.endIndex)
            }
        }
    }
}

extension Substring {
    /// Returns the text from its first to its last letter, digit or symbol.
    fileprivate func trimmingPunctuation() -> Substring {
        var text = self
        while let first = text.first, first.isPunctuation { text.removeFirst() }
        while let last = text.last, last.isPunctuation { text.removeLast() }
        return text
    }
}
