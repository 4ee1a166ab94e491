import Testing

@testable import SocialGraph

/// Words and links, each against what it means.
@Suite(.timeLimit(.minutes(20)))
struct MatcherTests {
    @Test(arguments: 0..<30)
    func `words are found where a look for each of them finds one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("abä $")
        func text(_ length: Int) -> String {
            String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
        }
        for wholeWords in [true, false] {
            let words = (0..<6).map { _ in text(Int.random(in: 1...4, using: &random)) }.filter {
                $0.contains { $0 != " " }
            }
            let matcher = KeywordMatcher(words, wholeWords: wholeWords)
            for _ in 0..<50 {
                let sample = FoldedText(text(Int.random(in: 0...12, using: &random))).scalars
                let found = matcher.firstMatch(in: sample)
                let expected = Self.firstMatch(of: words, wholeWords, in: sample)
                #expect(found == expected, "\(words) in \(sample)")
            }
        }
    }

    /// The match that ends first, the longest of those, by looking for each word at each place.
    private static func firstMatch(of words: [String], _ wholeWords: Bool, in text: [UInt32]) -> Range<Int>? {
        func isLetter(_ place: Int) -> Bool {
            text.indices.contains(place) && text[place] != 0x20 && text[place] != 0x24
        }
        let lengths = words.map { FoldedText($0).scalars }
        for end in 0...text.count {
            let ranges = lengths.compactMap { word -> Range<Int>? in
                guard word.count <= end, Array(text[(end - word.count)..<end]) == word else { return nil }
                let range = (end - word.count)..<end
                let isCut =
                    isLetter(range.lowerBound) && isLetter(range.lowerBound - 1)
                    || isLetter(end - 1) && isLetter(end)
                return wholeWords && isCut ? nil : range
            }
            if let longest = ranges.max(by: { $0.count < $1.count }) { return longest }
        }
        return nil
    }

    @Test(arguments: [
        ("BUY ＮＯＷ!", "buy now", true), ("buy\n\t now", "Buy Now", true), ("rebuy now", "buy now", false),
        ("STRASSE", "strasse", true), ("Ännie", "änn", false), ("a,b", "a", true),
    ])
    func `a phrase is found however it is written`(text: String, word: String, isFound: Bool) {
        let matcher = KeywordMatcher([word], wholeWords: true)
        #expect((matcher.firstMatch(in: FoldedText(text).scalars) != nil) == isFound)
    }

    @Test(arguments: [
        ("see https://spam.example/x?y", "spam.example", nil), ("HTTP://WWW.Spam.Example:80", "www.spam.example", nil),
        ("a.b.spam.example is bad", "a.b.spam.example", nil), ("notspam.example", nil, nil),
        ("spam.example.org", nil, nil), ("https://user:pw@spam.example", "spam.example", nil),
        ("https://good.org@spam.example/", "spam.example", nil), (#"https:\\spam.example\x"#, "spam.example", nil),
        ("http://spam。example", "spam.example", nil), ("ｓｐａｍ.example", "spam.example", nil),
        ("https://good.org/spam.example", "spam.example", "-"), ("https://other.net", nil, "other.net"),
        ("https://sub.good.org/", nil, "-"), ("e.g. this", nil, "-"), ("www.other.net", nil, "www.other.net"),
        ("https://[::1]/", nil, "[::1"), ("https://", nil, "-"), ("", nil, "-"),
    ])
    func `links are judged by their domains`(text: String, denied: String?, foreign: String?) {
        let folded = FoldedText(text)
        #expect(LinkMatcher(["Spam.Example"], mode: .deny).firstMatch(in: folded) == denied)
        if let foreign {
            let found = LinkMatcher(["good.org"], mode: .allowOnly).firstMatch(in: folded)
            #expect(found == (foreign == "-" ? nil : foreign))
        }
    }
}
