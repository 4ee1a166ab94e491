import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Random commands and videos.
@Suite(.timeLimit(.model))
struct SegmentMatcherFuzzTests {
    private static let words = [
        "skip", "the", "to", "intro", "squats", "second", "last", "minutes", "5", "3:20", "back", "and", "a", "half",
        "after", "before", "of", "end", "start", "next", "previous", "%", "25%", "1.5", "minute", "seconds", "set", "2",
        "between", "once", "over", "99999999999999999999", "9999:99", "🔥", "料理", "ünter", "until", "go", "in", "way",
        "third", "quarter", "percent", "is", "done", "at", "ago", "-1", "0", "first", "couple", "again", ":", "\0",
        "warm", "up", "sqauts", "to last", "no", "999999 hours", "'", "one",
    ]

    /// Every answer to a random query lies within the video and is repeatable.
    @Test func `every answer is within the video`() {
        var random = SplitMix64(seed: 7)
        var found = 0
        for _ in 0..<600 {
            let index = Self.index(&random)
            let duration = Bool.random(using: &random) ? Int64.random(in: -1_000...600_000, using: &random) : nil
            let position = Bool.random(using: &random) ? Int64.random(in: 0...700_000, using: &random) : nil
            for _ in 0..<4 {
                let command = (0..<Int.random(in: 0...9, using: &random))
                    .map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
                let ask = { SegmentMatcher().place(for: command, in: index, duration: duration, position: position) }
                let place = ask()
                #expect(place == ask(), "\(command)")
                guard let place else { continue }
                found += 1
                #expect(place.start >= 0 && place.start <= place.end, "\(command): \(place)")
                #expect((0...1).contains(place.confidence), "\(command): \(place)")
                if let length = duration, length > 0, place.kind == .time {
                    #expect(place.start <= length, "\(command): \(place)")
                }
                if let id = place.segment { #expect(index.units.contains { $0.id == id }) }
            }
        }
        #expect(found > 500)
    }

    private static func index(_ random: inout SplitMix64) -> SegmentIndex {
        let segments = (0..<Int.random(in: 0...6, using: &random)).map { number in
            let start = Int64.random(in: 0...500_000, using: &random)
            let label = (0..<Int.random(in: 1...3, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            return VideoSegment(
                id: SegmentID(rawValue: Int64(number + 1)), label: label, start: start,
                end: start + Int64.random(in: 1...99_000, using: &random))
        }
        let cues = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            let start = Int64.random(in: 0...500_000, using: &random)
            let text = (0..<5).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            return Cue(start: start, end: start + Int64.random(in: 1...9_000, using: &random), text: text)
        }
        return SegmentIndex(
            segments: segments.sorted { $0.start < $1.start },
            transcript: cues.isEmpty ? nil : Transcript(cues: cues.sorted { $0.start < $1.start }))
    }

    /// The largest transcript within the limits, all of one word, so that every cue is a hit.
    @Test func `the largest transcript is searched`() {
        let cues = (0..<DiscoveryLimits.transcriptCues).map {
            Cue(start: Int64($0) * 10, end: Int64($0) * 10 + 5_000, text: "squats and more squats")
        }
        let index = SegmentIndex(segments: [], transcript: Transcript(cues: cues))
        #expect(index.units.count <= 41)
        let place = SegmentMatcher().place(for: "squats lunges planks", in: index, duration: nil)
        #expect(place == nil)
        #expect(SegmentMatcher().place(for: "squats", in: index, duration: nil)?.timestamp == 0)
        let long = String(repeating: "squats ", count: 100_000)
        #expect(SegmentMatcher().place(for: long, in: index, duration: nil)?.timestamp == 0)
    }
}
