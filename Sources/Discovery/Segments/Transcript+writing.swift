extension Transcript {
    /// Returns the transcript in `format`; reading the result gives the same transcript.
    package func text(as format: TimedTextFormat) -> String {
        var text = format == .webVTT ? "WEBVTT\n\n" : ""
        for (index, cue) in cues.enumerated() {
            if format == .subRip { text += "\(index + 1)\n" }
            let (start, end) = (Self.clock(cue.start, format), Self.clock(cue.end, format))
            text += "\(start) --> \(end)\n\(Self.body(of: cue, format))\n\n"
        }
        return text
    }

    /// Formats a time as `00:01:02.500`, with a comma in SubRip.
    private static func clock(_ milliseconds: Int64, _ format: TimedTextFormat) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let seconds = milliseconds / 1_000
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return parts.joined(separator: ":") + (format == .webVTT ? "." : ",") + padded(milliseconds % 1_000, 3)
    }

    /// Returns the text of a cue. SubRip has no character references, though readers know them, so it gets them only
    /// for text that would otherwise be misread.
    private static func body(of cue: Cue, _ format: TimedTextFormat) -> String {
        let isPlain = CueText.plain(cue.text) == cue.text && !hasArrow(cue.text)
        return format == .subRip && isPlain ? cue.text : escaped(cue.text)
    }

    private static func hasArrow(_ text: String) -> Bool {
        var dashes = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }

    /// Returns text that cannot be read as a tag, a reference or an arrow.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "{": escaped += "&#123;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
