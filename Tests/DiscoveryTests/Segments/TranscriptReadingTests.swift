import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Transcript readers: as tolerant as players, and strict where a cue could be mistaken.
@Suite(.timeLimit(.unit))
struct TranscriptReadingTests {
    @Test func `a file with everything is read`() throws {
        let text = """
            \u{FEFF}WEBVTT - made by hand
            Kind: captions
            Language: en

            STYLE
            ::cue { color: red }

            NOTE a remark
            over two lines

            REGION
            id:fred

            intro
            00:01.000 --> 00:04.500 align:start position:10%
            <v Ann>Hello &amp; <b>welcome</b></v>

            00:00:05.25 --> 100:00:00.000
            - One
            - Two &lt;tag&gt; &#x41;&#66;&nbsp;&unknown;

            00:04.600-->00:05.000
            a < b

            """
        let expected = [
            Cue(start: 1_000, end: 4_500, text: "Hello & welcome"), Cue(start: 4_600, end: 5_000, text: "a < b"),
            Cue(start: 5_250, end: 360_000_000, text: "- One\n- Two <tag> AB\u{20}&unknown;"),
        ]
        for ending in ["\n", "\r\n", "\r"] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: ending)
            #expect(try Transcript(lines, as: .webVTT).cues == expected, "\(ending.utf8.map { $0 })")
        }
    }

    @Test func `SubRip is read with its habits`() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,5
            <font color="#fff">{\\an8}First</font> {kept}
            second line

            2
            00:00:03.000  -->  00:00:04.000 X1:40 X2:600
            Third

            3
            0:0:5 --> 0:0:6
            No empty line follows
            00:00:07,123 --> 00:00:08,456
            Last
            """
        #expect(
            try Transcript(text, as: .subRip).cues == [
                Cue(start: 1_000, end: 2_500, text: "First {kept}\nsecond line"),
                Cue(start: 3_000, end: 4_000, text: "Third"),
                Cue(start: 5_000, end: 6_000, text: "No empty line follows"),
                Cue(start: 7_123, end: 8_456, text: "Last"),
            ])
    }

    @Test(arguments: [
        ("", 1, TimedTextError.Reason.noHeader), ("WEBVTTX\n", 1, .noHeader), ("Hello", 1, .noHeader),
        ("WEBVTT", 1, .noCues), ("WEBVTT\n\nNOTE nothing\n", 4, .noCues),
        ("WEBVTT\n\n00:01.000 --> x\nA", 3, .badTiming), ("WEBVTT\n\nid\nno timing\n", 4, .badTiming),
        ("WEBVTT\n\n00:02.000 --> 00:02.000\nA", 3, .endsBeforeItStarts),
        ("WEBVTT\n\n00:02.000 --> 101:00:00.000\nA", 3, .tooLate),
        ("WEBVTT\n\n00:01.0000000001 --> 00:02.000\nA", 3, .badTiming),
        ("WEBVTT\n\n1:2:3:4 --> 00:02.000\nA", 3, .badTiming), ("WEBVTT\n\n-1:00 --> 00:02.000\nA", 3, .badTiming),
        ("WEBVTT\n\n00:00.000 --> 00:01.000\nA\n\n99999999999999999999:00 --> 1:00\n", 6, .badTiming),
    ])
    func `what is no transcript is refused with its line`(text: String, line: Int, reason: TimedTextError.Reason) {
        #expect(throws: TimedTextError(reason: reason, line: line)) { try Transcript(text, as: .webVTT) }
    }

    @Test func `bytes that are no text are refused with their line`() {
        let bytes = Array("WEBVTT\n\n00:00.000 --> 00:01.000\n".utf8) + [0x41, 0xFF]
        #expect(throws: TimedTextError(reason: .notUTF8, line: 4)) { try Transcript(bytes, as: .webVTT) }
        let many = String(repeating: "0:00 --> 0:01\nA\n\n", count: DiscoveryLimits.transcriptCues + 1)
        #expect(throws: TimedTextError.self) { try Transcript(many, as: .subRip) }
        let line = TimedTextError(reason: .badTiming, line: 7).detail
        #expect(line.contains("line 7"))
    }

    @Test(arguments: TimedTextFormat.allCases)
    func `what is written is read back`(format: TimedTextFormat) throws {
        let cues = [
            Cue(start: 0, end: 1, text: "a --> b"),
            Cue(start: 1_001, end: 59_999, text: "<b>not bold</b> & {\\an8} &amp;"),
            Cue(start: 60_000, end: 360_000_000, text: "two\nlines, ünï 🎬 NOTE"),
            Cue(start: 70_000, end: 70_001, text: "NOTE x"),
        ]
        let transcript = Transcript(cues: cues)
        #expect(try Transcript(transcript.text(as: format), as: format) == transcript)
    }

    /// Half of each input takes about half the steps, within the allowed steps per byte.
    @Test(arguments: [
        "<", "<a", "<a<a>", "{\\", "{\\x", "&", "&#", "&amp;", " ", "\t ", "\n", "\r", "\r\n", "-", "--", "-->", ">",
        ":",
        "0", "0:00 --> 0:01\n", "0:00 --> 0:01\nA\n\n", "NOTE\n\n", "WEBVTT", "e\u{301}", "\u{300}\u{316}", "\u{2028}",
        "\u{200D}", "👩‍👩‍👧", "🇩🇪", "\0", "word ", "a",
    ])
    func `steps are linear in the bytes`(_ shape: String) {
        for (head, format) in [("WEBVTT\n\n0:00 --> 0:01\n", TimedTextFormat.webVTT), ("", .subRip)] {
            let taken = [25_000, 50_000, 100_000].map { length in
                let text = head + String(repeating: shape, count: length / shape.utf8.count)
                var steps = 0
                do {
                    _ = try Transcript(
                        Array(text.utf8), as: format, excessMarks: .dropped, steps: &steps)
                } catch let error as TimedTextError {
                    #expect(error.reason != .tooMuchWork)
                } catch {
                    Issue.record(error)
                }
                return steps
            }
            #expect(taken[1] <= taken[0] * 5 / 2 && taken[2] <= taken[1] * 5 / 2, "\(taken)")
            #expect(taken[2] <= Transcript.stepsOfByte * 100_000)
        }
    }

    @Test func `marks in a row are bounded`() throws {
        func text(_ marks: Int, _ mark: String) -> String {
            "WEBVTT\n\n0:00 --> 0:01\ne" + String(repeating: mark, count: marks) + "\n"
        }
        for mark in ["\u{301}", "&#x301;", "<b>\u{301}"] {
            #expect(try Transcript(text(30, mark), as: .webVTT).cues[0].text.unicodeScalars.count == 31)
            #expect(throws: TimedTextError(reason: .tooManyMarks, line: 4)) {
                try Transcript(text(31, mark), as: .webVTT)
            }
            var steps = 0
            let stored = try Transcript(
                Array(text(5_000, mark).utf8), as: .webVTT, excessMarks: .dropped, steps: &steps)
            #expect(stored.cues[0].text.unicodeScalars.count == 31)
        }
    }

    @Test func `the text of a cue is bounded`() throws {
        func bytes(_ text: String) -> [UInt8] { Array("WEBVTT\n\n0:00 --> 0:01\n\(text)\n".utf8) }
        let longest = String(repeating: "é", count: DiscoveryLimits.cueBytes / 2)
        let tags = String(repeating: "<b>", count: DiscoveryLimits.cueBytes)
        #expect(try Transcript(bytes(tags + longest), as: .webVTT).cues[0].text == longest)
        for text in [longest + "a", String(longest.dropLast()) + "a\nb", tags + longest + "a"] {
            #expect(throws: TimedTextError(reason: .tooLongCue, line: text.contains("\n") ? 5 : 4)) {
                try Transcript(bytes(text), as: .webVTT)
            }
        }
        #expect(TimedTextError(reason: .tooLongCue, line: 4).detail.contains("100000 bytes"))
        var steps = 0
        let stored = try Transcript(bytes(longest + "a"), as: .webVTT, excessMarks: .dropped, steps: &steps)
        #expect(stored.cues[0].text == longest + "a", "a transcript stored earlier is read")
    }

    @Test func `reading ends when nobody waits`() {
        let text = "WEBVTT\n\n" + String(repeating: "0:00 --> 0:01\nsome words\n\n", count: 10_000)
        #expect(throws: CancellationError.self) {
            try Transcript(Array(text.utf8), as: .webVTT, isCancelled: { true })
        }
    }

    /// Feeds random pieces of transcripts, cut anywhere, to every reader. The result is an error, or cues in order that
    /// can be read back from either form.
    @Test func `no input does harm`() throws {
        var random = SplitMix64(seed: 19)
        let pieces = [
            "WEBVTT", "\n", "\r\n", "\r", "\n\n", "00:01.000", "-->", " --> ", "00:00:02,000", "1:", "NOTE", "STYLE",
            "<", ">", "<b>", "&", "&amp;", "&#0;", "&#x110000;", "&#xD800;", "{\\", "}", "\0", "\u{FEFF}", "text", "9",
            "99999999999", ".", ",", " ", "\t", "é", "🎬", "\u{85}", "--", "-", "0:00 --> 0:01\n", "e\u{301}",
        ]
        var read = 0
        for _ in 0..<4_000 {
            let count = Int.random(in: 0...24, using: &random)
            var bytes = (0..<count).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
            if Bool.random(using: &random) { bytes = Array("WEBVTT\n\n".utf8) + bytes }
            if Bool.random(using: &random), !bytes.isEmpty { bytes.removeLast(Int.random(in: 0...1, using: &random)) }
            for format in TimedTextFormat.allCases {
                guard let transcript = try? Transcript(bytes, as: format) else { continue }
                read += 1
                #expect(transcript.cues.allSatisfy { $0.start < $0.end && !$0.text.contains("\0") })
                for other in TimedTextFormat.allCases {
                    #expect(try Transcript(transcript.text(as: other), as: other) == transcript)
                }
            }
        }
        #expect(read > 50)
    }
}
