import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Labels of the passages of a transcript.
@Suite(.timeLimit(.unit))
struct KeyPhrasesTests {
    private func labels(_ passages: [[String]], length: Int = 60) -> [String?] {
        let phrases = KeyPhrases(passages: passages, thesaurus: .standard)
        return passages.indices.map { phrases.label(of: $0, length: length) }
    }

    @Test func `a passage is called by what it says and others do not`() {
        let found = labels([
            ["okay so start whisking the eggs", "the eggs get pale and the oven is hot"],
            ["now sift the flour into the oven tin", "sift the flour twice"],
            ["and it goes in the oven", "the oven stays shut"],
        ])
        #expect(found[0]?.contains("hisking the eggs") == true, "\(found)")
        #expect(found[1]?.lowercased().contains("sift the flour") == true, "\(found)")
        #expect(found.allSatisfy { $0?.first?.isUppercase == true })
    }

    @Test func `a phrase does not cross punctuation or the end of a cue`() {
        #expect(labels([["salt, pepper", "oil"]])[0].map { !$0.contains("pepper oil") } == true)
        #expect(labels([["Salt. Pepper."]], length: 4) == ["Salt"])
    }

    @Test func `a label is no longer than allowed, and stop words have none`() {
        let found = labels([["supercalifragilistic preparations everywhere"], ["and so it is"]], length: 20)
        #expect(found[0].map { $0.unicodeScalars.count <= 20 } == true && found[1] == nil)
        #expect(labels([["料理の準備"]]) == ["料理の準備"])
        #expect(labels([[]]) == [nil])
    }

    @Test func `the same transcript has the same labels`() {
        let passages = [["alpha beta", "gamma delta"], ["beta gamma", "delta alpha"]]
        #expect(Set((0..<20).map { _ in labels(passages) }).count == 1)
    }

    @Test func `passages do not begin within a sentence of a punctuated transcript`() {
        let cues = (0..<40).map { number in
            Cue(
                start: Int64(number) * 4_000, end: Int64(number) * 4_000 + 4_000,
                text: number % 2 == 0 ? "We talk about topic \(number / 10)" : "and nothing else.")
        }
        let contents = Contents(SegmentIndex(segments: [], transcript: Transcript(cues: cues)))
        #expect(contents.entries.count > 1 && contents.entries.allSatisfy { $0.start % 8_000 == 0 })
    }
}
