import Database
import Discovery
import GraphServices
import Mail
import MediaFiles
import ProductAPIs
import Sessions
import SocialGraph
import Text

extension InputParser {
    /// Parsers of cursors, ids, times and other values of parameters.
    static let queries: [InputParser] = [
        text("cursor", limit: RequestLimits.queryBytes, corpus: ["17", "244273619935232", "17.300", "a-b.20"]) { text in
            guard StreamSafeText.holds(text) else { return }
            if let cursor = SearchCursor(text) {
                try InputFault.require(cursor.text == text, "a cursor has two spellings: \(text)")
            }
            if let id = TextRules.parseID(text) {
                try InputFault.require(String(id) == text, "an id has two spellings: \(text)")
            }
        },
        safeText(
            "time", limit: RequestLimits.queryBytes, corpus: ["2026-11-21T08:00:00Z", "2026-11-21 08:00:00.123+01:00"]
        ) { _ = TimeText.milliseconds($0) },
        safeText(
            "condition", limit: RequestLimits.queryBytes, corpus: ["10..20", "..5", "red", "1e3.."]
        ) { text in
            _ = TextRules.condition("duration", text)?.matches(["duration": .text(text)])
        },
        text("address", limit: RequestLimits.queryBytes, corpus: ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"]) {
            text in
            guard let address = IPAddress(text) else { return }
            try InputFault.require(IPAddress(address.description) == address, "an address is not read back: \(text)")
        },
        text("mail-address", limit: RequestLimits.queryBytes, corpus: ["ann@example.org", "Ex <a.b@example.org>"]) {
            text in
            guard let address = MailAddress(text) else { return }
            try InputFault.require(
                MailAddress(address.address)?.address == address.address, "an address is not read back: \(text)")
        },
        text("account-token", limit: RequestLimits.queryBytes, corpus: ["kPzW1mFQ9vS0uUeTqkA3xJd7HyLr5N2b8cGiOo_4"]) {
            text in
            guard let token = AccountToken(presented: text) else { return }
            try InputFault.require(token.text == text, "a token has two spellings: \(text)")
        },
        text("authenticator-code", limit: RequestLimits.queryBytes, corpus: ["123 456", "abcd-efgh-ijkl-mnop"]) {
            text in
            guard case .recoveryCode(let code) = TOTPProof(presented: text) else { return }
            try InputFault.require(
                TOTPProof(presented: code.text) == .recoveryCode(code), "a recovery code is not read back: \(text)")
        },
        text("last-event-id", limit: RequestLimits.queryBytes, corpus: ["17", "0", "-1"]) { _ = TextRules.parseID($0) },
    ]

    /// Parsers of search terms and jump targets. Their texts have passed the length check of their field.
    static let searches: [InputParser] = [
        safeText(
            "search", limit: 4 * SocialGraphLimits.searchLength, corpus: ["running shoes", "café \"quoted\" -minus"]
        ) { text in
            for word in SearchWords(text).words { _ = SearchWords.bare(word) }
        },
        safeText(
            "caption", limit: 4 * SocialGraphLimits.captionLength,
            corpus: ["hello @ann and @bob.", "ＦＲＥＥ stuff", "e\u{301}"]
        ) { text in
            _ = Mentions.names(in: text, limit: SocialGraphLimits.mentionsPerText)
            let key = NameFolding.key(text)
            try InputFault.require(NameFolding.key(key) == key, "folding twice is another thing than once")
        },
        safeText(
            "jump", limit: 4 * DiscoveryLimits.commandLength,
            corpus: [
                "skip to the second set of squats", "go back 10 seconds", "3:20",
                "the last two minutes after the plank",
            ]
        ) { text in _ = SegmentMatcher().place(for: text, in: video, duration: 600_000, position: 30_000) },
        safeText(
            "label", limit: 4 * DiscoveryLimits.segmentLabelLength, corpus: ["sauceMaking", "Warm up 2", "スクワット"]
        ) { text in
            let segment = VideoSegment(id: SegmentID(rawValue: 1), label: text, start: 0, end: 1_000)
            let index = SegmentIndex(segments: [segment], transcript: nil)
            _ = SegmentMatcher().place(for: "squats", in: index, duration: nil)
            _ = VideoSegments.word(text)
        },
    ]

    private static let video: SegmentIndex = {
        let labels = ["Warm up", "Squats", "Jump squats", "Plank", "Cool down"]
        return SegmentIndex(
            segments: labels.enumerated().map { number, label in
                VideoSegment(
                    id: SegmentID(rawValue: Int64(number + 1)), label: label, start: Int64(number) * 60_000,
                    end: Int64(number + 1) * 60_000)
            }, transcript: Transcript(cues: [Cue(start: 1_000, end: 2_000, text: "Now the squats")]))
    }()

    /// Parsers of files.
    static let files: [InputParser] =
        TimedTextFormat.allCases.map { format in
            InputParser(
                format.rawValue, limit: RequestLimits.bodyBytes, costPerByte: 4,
                corpus: [
                    "WEBVTT - x\n\nNOTE a\n\nid\n00:01.000 --> 00:02.500 align:start\n<v Ann>Hi &amp; <b>bye</b>\n",
                    "1\n00:00:01,000 --> 00:00:02,500\n{\\an8}Hi <i>there</i>\n\n2\n0:00:03,0 --> 0:00:04,0\nBye\n",
                ],
                frames: [("", ""), ("WEBVTT\n\n0:00 --> 0:01\n", ""), ("0:00 --> 0:01\n", "\n"), ("0:00 --> ", "\nx")]
            ) { bytes in
                let transcript = try Transcript(bytes, as: format)
                for other in TimedTextFormat.allCases {
                    let written = Array(transcript.text(as: other).utf8)
                    guard written.count <= RequestLimits.bodyBytes else { continue }
                    try InputFault.require(
                        try Transcript(written, as: other) == transcript, "a transcript is not read back from \(other)")
                }
                _ = SegmentIndex(segments: [], transcript: transcript)
            }
        } + [
            InputParser(
                "media", limit: 1 << 20, corpus: ["\u{0}\u{0}\u{0}\u{18}ftypmp42", "GIF89a", "RIFF0000WEBPVP8 "]
            ) {
                _ = MediaType(leadingBytes: $0)
            }
        ]
}
