import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Meanings of each kind of command, one rule a test.
@Suite(.timeLimit(.unit))
struct SegmentMatcherTests {
    private static let labels = [
        "Intro", "Warm-up", "Squats", "Rest", "Lunges", "Rest", "Squats", "Plank", "coolDown",
    ]

    /// An index with one segment a minute.
    static func index(_ labels: [String], transcript: [(Int64, String)] = []) -> SegmentIndex {
        let segments = labels.enumerated().map { index, label in
            VideoSegment(
                id: SegmentID(rawValue: Int64(index + 1)), label: label, start: Int64(index) * 60_000,
                end: Int64(index + 1) * 60_000)
        }
        let cues = transcript.map { Cue(start: $0.0 * 1_000, end: $0.0 * 1_000 + 4_000, text: $0.1) }
        return SegmentIndex(segments: segments, transcript: cues.isEmpty ? nil : Transcript(cues: cues))
    }

    private static func place(
        _ command: String, in index: SegmentIndex = index(labels), at position: Int64? = nil, duration: Int64? = 540
    ) -> VideoPlace? {
        SegmentMatcher().place(
            for: command, in: index, duration: duration.map { $0 * 1_000 }, position: position.map { $0 * 1_000 })
    }

    @Test(arguments: [
        ("show warm-up", 60), ("warmup", 60), ("Take me to the part where we're warming up, please!", 60),
        ("SKIP TO THE LUNGES", 240), ("lunge", 240), ("lunegs", 240), ("core", 420), ("cooling down", 480),
        ("the squats", 120), ("second squats", 360), ("2nd squats", 360), ("last squats", 360), ("last part", 480),
        ("third section", 120), ("part 3", 120), ("section number four", 180), ("penultimate section", 420),
        ("second to last section", 420), ("the first exercise", 120), ("exercise 2", 240), ("last exercise", 420),
        ("skip intro", 60), ("skip the intro", 60), ("after the plank", 480), ("what comes after the plank?", 480),
        ("what comes before the plank", 360), ("end of the warm up", 120), ("when the warm up is over", 120),
        ("rest after the lunges", 300), ("rest before the lunges", 180), ("between the lunges and the squats", 300),
        ("skip the intro and show me the plank", 420), ("skip to after the warm-up", 120),
        ("after the second squats", 420), ("skip the first squats", 180), ("how long does the plank last", 420),
    ])
    func `a command leads to its segment`(command: String, seconds: Int64) {
        #expect(Self.place(command)?.timestamp == seconds * 1_000, "\(String(describing: Self.place(command)))")
    }

    @Test(arguments: [
        ("jump to 3:20", 200.0), ("3:20", 200), ("0:03:20.5", 200.5), ("at 1 minute 30", 90), ("1 min 30 sec", 90),
        ("90 seconds in", 90), ("1m30s", 90), ("minute three", 180), ("two and a half minutes", 150),
        ("half a minute", 30), ("a minute and a half", 90), ("last five minutes", 240), ("the final 30 seconds", 510),
        ("two minutes before the end", 420), ("half way", 270), ("halfway through", 270), ("the middle", 270),
        ("25%", 135), ("75 percent", 405), ("a third of the way in", 180), ("the end", 540), ("start over", 0),
        ("from the beginning", 0), ("restart", 0), ("99:59", 540), ("skip the first two minutes", 120),
        ("forty five seconds", 45), ("1.5 minutes", 90), ("last minute of the lunges", 240),
        ("last 10 seconds of the lunges", 290), ("middle of the plank", 450), ("1 hour", 540),
    ])
    func `a time leads to that time`(command: String, seconds: Double) {
        #expect(Self.place(command)?.timestamp == Int64(seconds * 1_000), "\(command)")
    }

    @Test(arguments: [
        ("go back 10 seconds", 140), ("rewind 30 seconds", 120), ("back a minute", 90), ("10 seconds back", 140),
        ("skip ahead 20 seconds", 170), ("fast forward 1 minute", 210), ("skip 30 seconds", 180),
        ("go back to 10 seconds", 10), ("rewind an hour", 0), ("next", 180), ("next part", 180), ("next exercise", 240),
        ("skip this part", 180), ("skip this exercise", 180), ("previous section", 60), ("go back", 60),
        ("replay this", 120), ("again", 120), ("next squats", 360), ("go back to the squats", 120), ("next rest", 180),
        ("replay the last 10 seconds", 140),
    ])
    func `a relative command goes from where the video plays`(command: String, seconds: Int64) {
        #expect(Self.place(command, at: 150)?.timestamp == seconds * 1_000, "\(command)")
    }

    @Test(arguments: [
        "burpees", "third squats", "ninth rest", "section twenty", "the dumbbell snatch", "go back 10 seconds", "next",
        "previous", "again", "", "   ", "?!", "the", "pancakes", "after the burpees", "skip the burpees",
        "before the intro",
        "last minute of the burpees", "warm milk",
    ])
    func `what is not there is not found`(command: String) {
        #expect(Self.place(command) == nil, "\(command): \(String(describing: Self.place(command)))")
    }

    @Test func `labels that sound like commands are labels`() {
        let index = Self.index([
            "Jump squats", "Back exercises", "Skip rope", "30 second plank", "First course", "Rest",
        ])
        for (command, segment) in [
            ("jump squats", 1), ("back exercises", 2), ("show me the back workout", 2), ("skip rope", 3),
            ("the 30 second plank", 4), ("first course", 5), ("jump to the jump squats", 1),
        ] {
            #expect(Self.place(command, in: index, duration: nil)?.segment?.rawValue == Int64(segment), "\(command)")
        }
    }

    @Test func `numbered labels go by their numbers`() {
        let index = Self.index(["Set 2", "Set 1", "Set 4"])
        for (command, seconds) in [("the second set", 0), ("first set", 60), ("set four", 120), ("last set", 120)] {
            #expect(Self.place(command, in: index)?.timestamp == Int64(seconds) * 1_000, "\(command)")
        }
        #expect(Self.place("third set", in: index) == nil)
    }

    @Test func `what is said is found where no label has it`() throws {
        let index = Self.index(
            ["Prep", "Cooking"],
            transcript: [(2, "Today we blanch beans."), (30, "Wash them."), (70, "Now blanch the beans for a minute.")])
        let place = try #require(Self.place("how to blanch beans", in: index, duration: 120))
        #expect(place.kind == .transcript && place.timestamp == 70_000)
        #expect(place.segment == SegmentID(rawValue: 2) && place.label == "Now blanch the beans for a minute.")
        #expect(Self.place("prep", in: index)?.kind == .segment)
    }

    @Test func `a place tells what plays there`() throws {
        let skipped = try #require(Self.place("skip intro"))
        #expect(skipped.segment == SegmentID(rawValue: 2) && skipped.label == "Warm-up" && skipped.kind == .segment)
        #expect(skipped.start == 60_000 && skipped.end == 120_000)
        let time = try #require(Self.place("2:30"))
        #expect(time.kind == .time && time.segment == SegmentID(rawValue: 3) && time.label == "Squats")
        #expect(time.confidence == 1 && time.end == 180_000)
        #expect(Self.place("3:20", in: .empty, duration: nil)?.label == "3:20")
        let (named, guessed) = (try #require(Self.place("lunges")), try #require(Self.place("lunegs")))
        #expect(named.confidence > guessed.confidence && guessed.confidence > 0)
    }

    /// Segments end at their own end, even when others overlap them or a gap follows.
    @Test func `overlaps and gaps are taken as they are`() {
        func segment(_ id: Int64, _ label: String, _ start: Int64, _ end: Int64) -> VideoSegment {
            VideoSegment(id: SegmentID(rawValue: id), label: label, start: start * 1_000, end: end * 1_000)
        }
        let index = SegmentIndex(
            segments: [
                segment(1, "Whole class", 0, 600), segment(2, "Intro", 0, 20), segment(3, "Flow", 50, 300),
                segment(4, "Tip", 100, 110),
            ], transcript: nil)
        let skipped = Self.place("skip the intro", in: index, duration: nil)
        #expect(skipped?.timestamp == 20_000 && skipped?.segment?.rawValue == 3)
        #expect(Self.place("1:45", in: index, duration: nil)?.segment?.rawValue == 4)
        #expect(Self.place("after the tip", in: index, duration: nil)?.kind == .time)
    }

    @Test func `words of any script are found`() {
        let index = Self.index(["Разминка", "Приседания", "料理の準備", "🔥", "Étirements"])
        for (command, segment) in [("приседания", 2), ("料理", 3), ("🔥", 4), ("etirements", 5), ("РАЗМИНКА", 1)] {
            #expect(Self.place(command, in: index)?.segment?.rawValue == Int64(segment), "\(command)")
        }
    }
}
