import Database
import TestSupport
import Testing
import Text

@testable import Moderation
@testable import SocialGraph

/// Matchers of words and links, each compared with its definition.
@Suite(.timeLimit(.unit))
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
                let sample = FoldedText(text(Int.random(in: 0...12, using: &random))).skeleton
                let found = matcher.firstMatch(in: sample)
                let expected = Self.firstMatch(of: words, wholeWords, in: sample)
                #expect(found == expected, "\(words) in \(sample)")
            }
        }
    }

    /// The match that ends first, and the longest of those, found by looking for each word at each position.
    private static func firstMatch(of words: [String], _ wholeWords: Bool, in text: [UInt32]) -> Range<Int>? {
        func isLetter(_ place: Int) -> Bool {
            text.indices.contains(place) && text[place] != 0x20 && text[place] != 0x24
        }
        let lengths = words.map { FoldedText($0).skeleton }
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
        #expect((matcher.firstMatch(in: FoldedText(text).skeleton) != nil) == isFound)
    }

    /// Invisible characters and lookalike letters do not hide a word. Other words remain other words.
    @Test(arguments: [
        ("sp\u{200B}am", true), ("sp\u{AD}am", true), ("s\u{2060}p\u{FEFF}am", true), ("sp\u{200D}\u{200C}am", true),
        ("sp\u{FE0F}am", true), ("\u{202E}spam\u{202C}", true), ("s\u{301}p\u{323}a\u{308}m", true), ("spàm", true),
        ("ѕраm", true), ("spαm", true), ("ＳＰＡＭ", true), ("𝐬𝐩𝐚𝐦", true), ("ⓢⓟⓐⓜ", true), ("s\u{34F}pam", true),
        ("sp\u{E0061}am", true), ("spa m", false), ("spa", false), ("spams", false), ("स्पैम", false),
    ])
    func `a word is found in disguise`(text: String, isFound: Bool) {
        let folded = FoldedText(text)
        #expect((KeywordMatcher(["spam"], wholeWords: true).firstMatch(in: folded.skeleton) != nil) == isFound)
        #expect((KeywordMatcher(["SPÀM"], wholeWords: true).firstMatch(in: folded.skeleton) != nil) == isFound)
    }

    @Test(arguments: [("किताब", "कतब"), ("ก่า", "กา"), ("が", "か"), ("각", "가"), ("й", "к")])
    func `words that marks tell apart stay apart`(text: String, other: String) {
        for wholeWords in [true, false] {
            let matcher = KeywordMatcher([other], wholeWords: wholeWords)
            #expect(matcher.firstMatch(in: FoldedText(text).skeleton) == nil)
            #expect(matcher.firstMatch(in: FoldedText(other).skeleton) != nil)
        }
    }

    @Test func `patterns see a text as it is written, and without its disguise`() throws {
        func matches(_ pattern: String, _ text: String) throws -> Bool {
            try CompiledRule(.pattern(pattern), id: RuleID(rawValue: 1), name: "r", action: .flag)
                .match([FoldedText(text)]) != nil
        }
        #expect(try matches("sp[a4]m", "s\u{200B}pàm") && matches("[а-я]{4}", "спам") && matches("é", "café"))
        #expect(try !matches("é", "cafe"))
    }

    @Test(arguments: [
        ("https://sp\u{AD}am.example", true, true), ("https://ѕраm.example", true, true), ("spám.example", true, false),
        ("https://spam.example", true, true), ("https://good.org", false, false), ("https://gооd.org", false, true),
    ])
    func `a host that looks like a denied one is denied, like an allowed one is not allowed`(
        text: String, isDenied: Bool, isForeign: Bool
    ) {
        let folded = FoldedText(text)
        #expect((LinkMatcher(["spam.example"], mode: .deny).firstMatch(in: folded) != nil) == isDenied)
        #expect((LinkMatcher(["good.org"], mode: .allowOnly).firstMatch(in: folded) != nil) == isForeign)
    }

    /// A host with many labels costs no more than the longest name.
    @Test func `long hosts are compared from their end`() {
        let host = String(repeating: "a.", count: 5_000) + "spam.example"
        #expect(LinkMatcher(["spam.example"], mode: .deny).firstMatch(in: FoldedText(host)) != nil)
        #expect(LinkMatcher(["m.example"], mode: .deny).firstMatch(in: FoldedText(host)) == nil)
        let label = String(repeating: "a", count: 400) + "spam.example"
        #expect(LinkMatcher(["spam.example"], mode: .deny).firstMatch(in: FoldedText(label)) == nil)
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
