extension Transcript {
    /// The transcript in the form `format`; reading that gives the transcript again.
    package func text(as format: TimedTextFormat) -> String {
        var text = format == .webVTT ? "WEBVTT\n\n" : ""
        for (index, cue) in cues.enumerated() {
            if format == .subRip { text += "\(index + 1)\n" }
            let (start, end) = (Self.clock(cue.start, format), Self.clock(cue.end, format))
            text += "\(start) --> \(end)\n\(Self.body(of: cue, format))\n\n"
        }
        return text
    }

    /// `00:01:02.500`, with a comma in SubRip.
    private static func clock(_ milliseconds: Int64, _ format: TimedTextFormat) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let seconds = milliseconds / 1_000
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return parts.joined(separator: ":") + (format == .webVTT ? "." : ",") + padded(milliseconds % 1_000, 3)
    }

    /// SubRip has no character references, though readers know them: there they stand only where text would otherwise
    /// be read as something else.
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

    /// Text that neither a tag nor a reference nor an arrow can be read from.
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
