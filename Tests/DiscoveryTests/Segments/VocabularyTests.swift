import TestSupport
import Testing

@testable import Discovery

/// The correction of spelling, compared with its definition, and the work that it takes.
@Suite(.timeLimit(.unit))
struct VocabularyTests {
    private static let thesaurus = Thesaurus("alpha | beta, gamma delta\nomega, epsilon | zeta")

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `the words found are those one error away`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = Self.words(1_000, of: "aabcé한𐐨", length: 2...6, &random)
        let vocabulary = Vocabulary(words)
        var found = 0
        let others = Self.words(40, of: "abcé한𐐨x", length: 4...8, &random)
        for word in others.union(words.sorted().prefix(20)) {
            let letters = Array(word.unicodeScalars)
            guard letters.count >= Vocabulary.shortestWord else { continue }
            let expected = words.filter { $0.unicodeScalars.count >= 4 && Self.isOneErrorApart(word, $0) }
            #expect(vocabulary.words(near: letters).sorted() == expected.sorted(), "\(word)")
            found += expected.count
        }
        #expect(found > 20)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a term is corrected as its definition says`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = Self.words(80, of: "abel", length: 3...6, &random)
        let index = Self.index(words)
        let reader = QueryReader(index: index, thesaurus: Self.thesaurus, topic: [])
        let known = words.union(Self.thesaurus.words)
        var corrected = 0
        let others = Self.words(60, of: "abelx", length: 3...7, &random)
        for word in others.union(["omgea", "lpha", "epsilonn", "zet", "zeta"]) {
            let stem = PorterStemmer.stem(word)
            var expected = Self.thesaurus.alternatives(to: stem)
            if !index.stems.contains(stem), !Self.thesaurus.knows(stem), word.count >= 4 {
                for other in known where other.count >= 4 && Self.isOneErrorApart(word, other) {
                    for (phrase, nearness) in Self.thesaurus.alternatives(to: PorterStemmer.stem(other)) {
                        expected[phrase] = max(expected[phrase] ?? 0, nearness * 0.85)
                    }
                    corrected += 1
                }
            }
            #expect(reader.terms([word], limit: 1).map(\.alternatives) == [expected], "\(word)")
        }
        #expect(corrected > 10)
    }

    @Test func `few words of a large vocabulary are compared`() {
        var random = SplitMix64(seed: 5)
        let words = Self.words(50_000, of: "abcdefghijklmnopqrstuvwxyz", length: 4...11, &random)
        let vocabulary = Vocabulary(words)
        for word in ["squats", "lunegs", "xy", "plank"] {
            var compared = 0
            vocabulary.forEachCandidate(near: Array(word.unicodeScalars)) { _ in compared += 1 }
            #expect(compared < words.count / 20, "\(word): \(compared)")
        }
    }

    @Test func `the terms of a command are computed once`() {
        func search() -> SegmentSearch {
            let index = Self.index(["alpha", "lambda", "kappa"])
            let queries = QueryReader(index: index, thesaurus: Self.thesaurus, topic: [])
            return SegmentSearch(index: index, queries: queries, length: 60_000, position: 500)
        }
        let timed = search()
        #expect(timed.place(for: JumpCommand(words: ["zebra"], time: .first(1_000))) == nil)
        #expect(timed.knownTerms.computed == 1)
        let related = search()
        #expect(related.place(for: JumpCommand(words: ["zebra"], anchor: ["tiger"], relation: .after)) == nil)
        #expect(related.knownTerms.computed == 2, "those of the anchor, and those of both")
    }

    private static func index(_ words: some Sequence<String>) -> SegmentIndex {
        let cues = words.sorted().enumerated().map {
            Cue(start: Int64($0) * 1_000, end: Int64($0) * 1_000 + 900, text: $1)
        }
        return SegmentIndex(segments: [], transcript: Transcript(cues: cues), thesaurus: thesaurus)
    }

    /// Returns at most `count` different words.
    private static func words(
        _ count: Int, of alphabet: String, length: ClosedRange<Int>, _ random: inout SplitMix64
    ) -> Set<String> {
        let alphabet = Array(alphabet)
        var words: Set<String> = []
        for _ in 0..<count {
            let letters = (0..<Int.random(in: length, using: &random)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &random)]
            }
            words.insert(String(letters))
        }
        return words
    }

    /// One error by definition: a letter removed from the longer word, one wrong letter, or two neighbours swapped.
    private static func isOneErrorApart(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        guard short.count == long.count else {
            return long.indices.contains { Array(long[..<$0] + long[($0 + 1)...]) == short }
        }
        let wrong = short.indices.filter { short[$0] != long[$0] }
        guard wrong.count == 2, wrong[1] == wrong[0] + 1 else { return wrong.count == 1 }
        return short[wrong[0]] == long[wrong[1]] && short[wrong[1]] == long[wrong[0]]
    }
}
