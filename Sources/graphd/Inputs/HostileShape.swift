/// A text that slows down bad parsers: one unit, repeated.
struct HostileShape: Sendable {
    let name: String
    let unit: [UInt8]

    init(_ name: String, _ unit: String) {
        self.name = name
        self.unit = Array(unit.utf8)
    }

    static let all: [HostileShape] = [
        HostileShape("marks", "\u{300}\u{316}"), HostileShape("letters-with-marks", "e\u{301}\u{323}"),
        HostileShape("sound-marks", "\u{FF9E}"), HostileShape("joiners", "\u{200D}"),
        HostileShape("families", "👩‍👩‍👧‍👦"), HostileShape("flags", "🇩🇪"), HostileShape("jamo", "\u{1100}\u{1161}"),
        HostileShape("ligatures", "\u{FDFA}"), HostileShape("less", "<"), HostileShape("tags", "<a"),
        HostileShape("ampersands", "&"), HostileShape("references", "&#x300;"), HostileShape("brackets", "["),
        HostileShape("braces", "{"), HostileShape("pairs", "[]"), HostileShape("parentheses", "(("),
        HostileShape("nested", "(a*)*"), HostileShape("quotes", "\""), HostileShape("backslashes", "\\"),
        HostileShape("escapes", "\\u0300"), HostileShape("commas", ","), HostileShape("texts", "\"a\","),
        HostileShape("members", "\"a\":1,"), HostileShape("zeros", "0,"), HostileShape("digits", "1"),
        HostileShape("signs", "-"), HostileShape("dots", "."), HostileShape("labels", "a."),
        HostileShape("schemes", "http://"), HostileShape("colons", ":"), HostileShape("slashes", "/"),
        HostileShape("at", "@"), HostileShape("mentions", "@a "), HostileShape("percent", "%CC%80"),
        HostileShape("parameters", "a=1&"), HostileShape("word", "a"), HostileShape("words", "ab "),
        HostileShape("spaces", " "), HostileShape("newlines", "\n"), HostileShape("returns", "\r\n"),
        HostileShape("boundaries", "\r\n--"), HostileShape("header-lines", "a: b\r\n"),
        HostileShape("dollars", "$1\r\n"),
        HostileShape("arrays", "*1\r\n"), HostileShape("arrows", "-->"), HostileShape("cues", "0:00 --> 0:01\na\n\n"),
        HostileShape("base64", "QUJD"), HostileShape("nul", "\u{0}"),
    ]

    /// Returns a text of about `bytes` bytes in a frame; a unit is never cut.
    func text(of bytes: Int, in frame: (head: [UInt8], tail: [UInt8])) -> [UInt8] {
        let room = max(0, bytes - frame.head.count - frame.tail.count)
        var text = frame.head
        text.reserveCapacity(bytes)
        for _ in 0..<(room / unit.count) { text += unit }
        return text + frame.tail
    }
}
