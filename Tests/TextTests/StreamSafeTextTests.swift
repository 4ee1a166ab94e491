import TestSupport
import Testing
import Text

@Suite(.timeLimit(.unit))
struct StreamSafeTextTests {
    @Test(arguments: [
        ("", true), ("plain", true), ("é", true), ("e" + String(repeating: "\u{301}", count: 30), true),
        ("e" + String(repeating: "\u{301}", count: 31), false), (String(repeating: "\u{301}", count: 31), false),
        (String(repeating: "e\u{301}", count: 500), true), (String(repeating: "한국어", count: 500), true),
        (String(repeating: "👩‍👩‍👧‍👦❤️", count: 500), true), (String(repeating: "กำลัง", count: 500), true),
        (String(repeating: "\u{FF9E}", count: 31), false), (String(repeating: "\u{F73}", count: 31), false),
        (String(repeating: "\u{1D165}", count: 31), false), (String(repeating: "\u{300}\u{316}", count: 16), false),
        ("ß" + String(repeating: "\u{300}", count: 15) + "é" + String(repeating: "\u{300}", count: 30), true),
    ])
    func `thirty marks may follow one another`(_ text: String, isSafe: Bool) {
        #expect(StreamSafeText.holds(text) == isSafe)
        let bounded = StreamSafeText.bounded(text)
        #expect(StreamSafeText.holds(bounded))
        #expect(isSafe == bounded.utf8.elementsEqual(text.utf8))
    }

    /// Every scalar that normalisation may reorder counts as a mark, in the text and in its compatible spelling.
    @Test func `every scalar that is reordered is a mark`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            guard scalar.properties.canonicalCombiningClass != .notReordered else { continue }
            #expect(StreamSafeText.isMark(value), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `keys are compared by their bytes`() {
        #expect(UTF8Key("é") != UTF8Key("e\u{301}"))
        #expect(UTF8Key("name") == UTF8Key("name"))
        #expect(Set([UTF8Key("é"), UTF8Key("e\u{301}"), UTF8Key("é")]).count == 2)
    }
}
