import TestSupport
import Testing
import Text

@Suite(.timeLimit(.unit))
struct KeywordMatcherTests {
    /// Letters, a digit, a mark that folding keeps, and signs, so that words begin and end with each of them.
    private static let alphabet: [UInt32] = "ab7_ !\u{93F}क𝄞".unicodeScalars.map(\.value)

    @Test(arguments: 0..<40)
    func `matches are those of the plain definition`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Few scalars make many words that are ends of each other, and many make all kinds of neighbours.
        let alphabet = Array(Self.alphabet.shuffled(using: &random).prefix(Int.random(in: 2...9, using: &random)))
        func scalars(_ length: ClosedRange<Int>) -> [UInt32] {
            let count = Int.random(in: length, using: &random)
            return (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
        }
        for _ in 0..<50 {
            let words = (0..<Int.random(in: 1...8, using: &random)).map { _ in scalars(0...6) }
            for wholeWords in [true, false] {
                let matcher = KeywordMatcher(folded: words, wholeWords: wholeWords)
                for _ in 0..<10 {
                    let text = scalars(0...20)
                    let expected = Self.firstMatch(of: words, wholeWords, in: text)
                    #expect(matcher.firstMatch(in: text) == expected, "\(words) in \(text), \(wholeWords)")
                }
            }
        }
    }

    /// The match that ends first, and the longest of those, found by looking for each word at each place.
    private static func firstMatch(of words: [[UInt32]], _ wholeWords: Bool, in text: [UInt32]) -> Range<Int>? {
        func isInsideWord(_ place: Int) -> Bool {
            0 < place && place < text.count && WordScalars.contains(text[place - 1])
                && WordScalars.contains(text[place])
        }
        for end in 0...text.count {
            let ranges = words.compactMap { word -> Range<Int>? in
                guard !word.isEmpty, text[..<end].suffix(word.count).elementsEqual(word) else { return nil }
                let start = end - word.count
                return wholeWords && (isInsideWord(start) || isInsideWord(end)) ? nil : start..<end
            }
            if let longest = ranges.max(by: { $0.count < $1.count }) { return longest }
        }
        return nil
    }

    @Test(arguments: ["ж", "a", "ж!", "क\u{93F}"], [true, false])
    func `words that are ends of each other cost one step for each scalar`(unit: String, isCut: Bool) {
        let words = (1...40).map { String(repeating: unit, count: $0) }
        let matcher = KeywordMatcher(words, wholeWords: true)
        let neighbour = isCut ? "x" : ""
        let text = FoldedText(neighbour + String(repeating: unit, count: 200) + neighbour).skeleton
        var steps = SearchSteps.unlimited
        let found = matcher.firstMatch(in: text, &steps)
        #expect(steps.spent <= text.count)
        #expect(found == Self.firstMatch(of: words.map { FoldedText($0).skeleton }, true, in: text))
    }

    @Test func `a common beginning of words is stored once, in few bytes`() {
        let words = (1...100).map { String(repeating: "a", count: $0) }
        let matcher = KeywordMatcher(words + words, wholeWords: false)
        #expect(matcher.nodeCount == 101)
        #expect(matcher.size <= 24 * matcher.nodeCount)
    }

    /// U+FDFA stands for 18 scalars.
    @Test func `muted words weigh as much as their folded spelling`() throws {
        let muted = try #require(MutedWords([(word: "\u{FDFA}", isWhole: true)]))
        #expect(muted.weight >= 8 * 18)
    }
}
