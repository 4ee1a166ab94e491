import Foundation
import TestSupport
import Testing
import Text

@testable import Moderation
@testable import SocialGraph

/// The search for patterns, compared with a slow definition and with another engine.
@Suite(.timeLimit(.unit))
struct PatternTests {
    @Test(arguments: 0..<20)
    func `a random pattern matches where its definition says`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let written = WrittenPattern.random(depth: 3, &random)
            let pattern = try Pattern(written.text)
            for _ in 0..<6 {
                let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    "ab_ ".unicodeScalars.map(\.value).randomElement(using: &random) ?? 0
                }
                let expected = (0...text.count).first { !written.ends(in: text, from: $0).isEmpty }
                let found = pattern.firstMatch(in: text)
                #expect(found?.lowerBound == expected, "/\(written.text)/ in \(text)")
                if let found {
                    let ends = written.ends(in: text, from: found.lowerBound)
                    #expect(ends.contains(found.upperBound), "/\(written.text)/ in \(text)")
                }
            }
        }
    }

    @Test(arguments: [
        #"b[uü]y\s+now"#, #"\bfree\b"#, #"^\d{3,5}$"#, #"(?:viagra|cialis)\W*\d+"#, #"a.c"#, #"[^a-z\s]{2}"#,
        #"(ab|a)(c|bcd)(d*)"#, #"x{0}y"#, #"[a\-z]+"#, #"\$\d+\.\d\d"#, #"colou?r"#, #"(a+?)b"#, #"é+"#,
        #"[À-Ý]{2}"#, #"\Bre"#, #"\D\S\W"#,
    ])
    func `it agrees with another engine`(text: String) throws {
        let pattern = try Pattern(text)
        let other = try NSRegularExpression(pattern: text, options: .caseInsensitive)
        let samples = [
            "BÜY   now or never", "free", "freedom", "so FREE.", "12345", "123456", "12", "Viagra -- 50", "cialis",
            "a\nc", "abc A-C aXc", "A1 !? __", "abcd acd abcdd", "y", "a-z", "it is $12.50!", "Color colour",
            "aaab", "éÉé", "ÀÝ àý", "rare re", "", "x", "-1 _",
        ]
        for sample in samples {
            let folded = NameFolding.key(sample)
            let found = pattern.firstMatch(in: folded.unicodeScalars.map(\.value))
            let range = other.firstMatch(in: folded, range: NSRange(folded.startIndex..., in: folded)).map {
                $0.range.lowerBound..<$0.range.upperBound
            }
            #expect(found == range, "/\(text)/ in \"\(sample)\"")
        }
    }

    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a?){40}a{40}b", "(.*)(.*)(.*)(.*)b", "(x+x+)+y"])
    func `what others take for ever over costs no more than the text is long`(text: String) throws {
        // A backtracking engine would need more steps than there are atoms in the universe.
        let pattern = try Pattern(text)
        let letter: UInt32 = text.contains("x") ? 0x78 : 0x61
        #expect(pattern.firstMatch(in: Array(repeating: letter, count: 3_000)) == nil)
    }

    @Test(arguments: [
        ("", 0), ("a(b", 1), ("a)b", 1), ("*a", 0), ("a**", 2), ("a{2,1}", 1), ("a{x}", 1), ("a{1", 1), ("[a", 0),
        ("[z-a]", 1), (#"\1"#, 0), (#"(?=a)"#, 0), (#"(?<n>a)"#, 0), (#"a\p{L}"#, 1), (#"a\"#, 1), ("^*", 0),
        ("a{999}", 1), ("((a{100}){100}){100}", 0), ("(){100}{100}", 7), (String(repeating: "(", count: 40), 32),
    ])
    func `what is no pattern is refused at its place`(text: String, offset: Int) {
        #expect { try Pattern(text) } throws: { ($0 as? PatternError)?.offset == offset }
    }

    @Test func `a repeated range is folded once`() throws {
        let range = "\u{100}-\u{7CF}"
        // With the last range, the pattern has exactly as many characters in ranges as are folded.
        let text = "[" + String(repeating: range, count: 160) + "]x[" + range + "][\u{1E00}-\u{1EFF}]"
        let pattern = try Pattern(text)
        #expect(pattern.excess == nil)
        try RuleDefinition.pattern(text).validate()
        // U+017F, the long s, folds to a letter outside the range.
        #expect(pattern.firstMatch(in: Array("sxs\u{1E81}".unicodeScalars.map(\.value))) == 0..<4)
        #expect(pattern.sets.allSatisfy { $0.ranges.count < 100 })
    }

    @Test(arguments: [
        ("[\u{100}-\u{7CF}][\u{100}-\u{7CE}]", 6), ("[\u{100}-\u{7CF}a\u{100}-\u{7CE}]", 5),
        ("a[\u{100}-\u{7CF}]|[^\u{1E00}-\u{1EFF}a-z]", 12),
    ])
    func `ranges with too many characters together are refused at their place`(text: String, offset: Int) throws {
        #expect { try RuleDefinition.pattern(text).validate() } throws: { error in
            guard case .invalidOrder(field: "definition.pattern", let reason)? = error as? ModerationError else {
                return false
            }
            return reason.contains("at character \(offset):") && reason.contains("2000 characters together")
        }
        // A pattern that was stored before the limit still compiles.
        #expect(try Pattern(text).excess?.offset == offset)
    }

    @Test(arguments: [
        "[\u{4E00}-\u{9FA5}][\u{AC00}-\u{D7A3}]", "[\u{100}-\u{8CF}]", "[\u{100}-\u{8D0}\u{100}-\u{8CF}]",
    ])
    func `ranges that are too long to fold cost nothing and are accepted`(text: String) throws {
        try RuleDefinition.pattern(text).validate()
    }
}

/// A random pattern, with its meaning written without the code under test.
private indirect enum WrittenPattern {
    case letter(Character)
    case any, word, space, boundary, start, end
    case oneOf([Character], isNegated: Bool)
    case sequence([WrittenPattern])
    case either([WrittenPattern])
    case repeated(WrittenPattern, Int, Int?)

    static func random(depth: Int, _ random: inout SplitMix64) -> WrittenPattern {
        switch Int.random(in: 0..<(depth == 0 ? 8 : 14), using: &random) {
        case 0...2: return .letter("ab_ ".randomElement(using: &random) ?? "a")
        case 3: return .any
        case 4: return Bool.random(using: &random) ? .word : .space
        case 5: return .boundary
        case 6: return Bool.random(using: &random) ? .start : .end
        case 7: return .oneOf(["a", "_"], isNegated: Bool.random(using: &random))
        case 8...9:
            return .sequence(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        case 10...11:
            return .either((0..<Int.random(in: 2...3, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        default:
            let least = Int.random(in: 0...2, using: &random)
            let most = Bool.random(using: &random) ? nil : least + Int.random(in: 0...2, using: &random)
            return .repeated(.random(depth: depth - 1, &random), least, most)
        }
    }

    var text: String {
        switch self {
        case .letter(let letter): String(letter)
        case .any: "."
        case .word: #"\w"#
        case .space: #"\s"#
        case .boundary: #"\b"#
        case .start: "^"
        case .end: "$"
        case .oneOf(let letters, let isNegated): "[" + (isNegated ? "^" : "") + String(letters) + "]"
        case .sequence(let parts): parts.isEmpty ? "(?:)" : "(" + parts.map(\.text).joined() + ")"
        case .either(let parts): "(?:" + parts.map(\.text).joined(separator: "|") + ")"
        case .repeated(let part, let least, let most):
            "(\(part.text)){\(least),\(most.map(String.init) ?? "")}"
        }
    }

    /// Returns every position at which a match that begins at `start` can end.
    func ends(in text: [UInt32], from start: Int) -> Set<Int> {
        func one(_ takes: (UInt32) -> Bool) -> Set<Int> {
            start < text.count && takes(text[start]) ? [start + 1] : []
        }
        func isWord(_ place: Int) -> Bool { text.indices.contains(place) && text[place] != 0x20 }
        switch self {
        case .letter(let letter): return one { $0 == letter.unicodeScalars.first?.value }
        case .any: return one { _ in true }
        case .word: return one { $0 != 0x20 }
        case .space: return one { $0 == 0x20 }
        case .boundary: return isWord(start - 1) != isWord(start) ? [start] : []
        case .start: return start == 0 ? [start] : []
        case .end: return start == text.count ? [start] : []
        case .oneOf(let letters, let isNegated):
            return one { value in letters.contains { $0.unicodeScalars.first?.value == value } != isNegated }
        case .sequence(let parts):
            return parts.reduce([start]) { places, part in
                Set(places.flatMap { part.ends(in: text, from: $0) })
            }
        case .either(let parts): return Set(parts.flatMap { $0.ends(in: text, from: start) })
        case .repeated(let part, let least, let most):
            var (places, all): (Set<Int>, Set<Int>) = ([start], least == 0 ? [start] : [])
            for round in 1...max(1, most ?? (least + text.count + 1)) where most != 0 {
                places = Set(places.flatMap { part.ends(in: text, from: $0) })
                if round >= least { all.formUnion(places) }
            }
            return all
        }
    }
}
