import SocialGraph

/// One reader for both forms, as players have it: it takes a byte order mark, any line ends, hours of any length or
/// none, a comma or a dot before the milliseconds, cue identifiers and settings, and white space where it does no harm.
/// What is not a cue (NOTE, STYLE and REGION blocks, the header's metadata) is passed over.
extension Transcript {
    /// Throws ``TimedTextError`` with the line where `bytes` stop being a transcript.
    package init(_ bytes: [UInt8], as format: TimedTextFormat) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let start = bytes.prefix(Self.validPrefix(of: bytes))
            throw TimedTextError(reason: .notUTF8, line: 1 + start.count { $0 == 0x0A })
        }
        try self.init(text, as: format)
    }

    /// Throws ``TimedTextError``.
    package init(_ text: String, as format: TimedTextFormat) throws {
        var reader = TimedTextReader(text)
        if format == .webVTT { try reader.readHeader() }
        var cues: [Cue] = []
        while let cue = try reader.nextCue() {
            guard cues.count < SocialGraphLimits.transcriptCues else {
                throw TimedTextError(reason: .tooManyCues, line: reader.line)
            }
            if !cue.text.isEmpty { cues.append(cue) }
        }
        guard !cues.isEmpty else { throw TimedTextError(reason: .noCues, line: max(1, reader.line)) }
        self.init(cues: cues.sorted { ($0.start, $0.end) < ($1.start, $1.end) })
    }

    /// The length of the longest part of `bytes` that ends with a line and is UTF-8.
    private static func validPrefix(of bytes: [UInt8]) -> Int {
        var start = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard String(validating: line, as: UTF8.self) != nil else { return start }
            start = min(bytes.count, line.endIndex + 1)
        }
        return start
    }
}

/// Goes through a transcript block by block. Blocks are parted by empty lines.
private struct TimedTextReader {
    private let lines: [Substring.UTF8View]
    private var next = 0

    init(_ text: String) {
        var content = text[...]
        if content.unicodeScalars.first == "\u{FEFF}" { content.unicodeScalars.removeFirst() }
        lines = Self.split(content.utf8)
    }

    /// The number of the line that was read last, from 1.
    var line: Int { next }

    /// At a carriage return, a line feed, or both.
    private static func split(_ text: Substring.UTF8View) -> [Substring.UTF8View] {
        var lines: [Substring.UTF8View] = []
        var (start, index) = (text.startIndex, text.startIndex)
        while index < text.endIndex {
            let byte = text[index]
            guard byte == 0x0A || byte == 0x0D else {
                text.formIndex(after: &index)
                continue
            }
            lines.append(text[start..<index])
            text.formIndex(after: &index)
            if byte == 0x0D, index < text.endIndex, text[index] == 0x0A { text.formIndex(after: &index) }
            start = index
        }
        lines.append(text[start...])
        return lines
    }

    private var current: Substring.UTF8View? { next < lines.count ? lines[next] : nil }

    private mutating func take() -> Substring.UTF8View? {
        guard let line = current else { return nil }
        next += 1
        return line
    }

    /// `WEBVTT`, with anything after a space, and the lines up to the first empty one or cue.
    mutating func readHeader() throws {
        let header = take().map { String(Substring($0)) } ?? ""
        guard header.hasPrefix("WEBVTT"), header.utf8.count == 6 || [" ", "\t"].contains(header.dropFirst(6).first)
        else { throw TimedTextError(reason: .noHeader, line: 1) }
        while let line = current, !isBlank(line), !hasArrow(line) { next += 1 }
    }

    /// The next cue; nil at the end. Text is empty of a cue without any.
    mutating func nextCue() throws -> Cue? {
        while true {
            while let line = current, isBlank(line) { next += 1 }
            guard let first = current else { return nil }
            if isNoCue(first) {
                skipBlock()
                continue
            }
            if !hasArrow(first) {
                // An identifier, or the number of the cue; only a timing may follow.
                next += 1
                guard let timing = current, !isBlank(timing) else { continue }
                guard hasArrow(timing) else { throw TimedTextError(reason: .badTiming, line: next + 1) }
            }
            guard let timing = take() else { return nil }
            let (start, end) = try interval(timing)
            return Cue(start: start, end: end, text: CueText.plain(cueLines()))
        }
    }

    /// The lines of a cue: up to an empty one, or to a timing that follows without one.
    private mutating func cueLines() -> [Substring] {
        var text: [Substring] = []
        while let line = current, !isBlank(line), !hasArrow(line) {
            text.append(Substring(line))
            next += 1
        }
        return text
    }

    private mutating func skipBlock() {
        while let line = current, !isBlank(line) { next += 1 }
    }

    private func isBlank(_ line: Substring.UTF8View) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    private func hasArrow(_ line: Substring.UTF8View) -> Bool {
        // Lines are short of arrows: looking for the last character of one is enough for most.
        var dashes = 0
        for byte in line {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }

    private func isNoCue(_ line: Substring.UTF8View) -> Bool {
        guard !hasArrow(line) else { return false }
        return ["NOTE", "STYLE", "REGION"].contains { word in
            line.starts(with: word.utf8) && [nil, 0x20, 0x09].contains(line.dropFirst(word.utf8.count).first)
        }
    }

    private func interval(_ line: Substring.UTF8View) throws -> (start: Int64, end: Int64) {
        let text = Substring(line)
        guard let arrow = text.firstRange(of: "-->"), let start = Self.milliseconds(text[..<arrow.lowerBound]),
            let end = Self.milliseconds(text[arrow.upperBound...])
        else { throw TimedTextError(reason: .badTiming, line: next) }
        guard start < end else { throw TimedTextError(reason: .endsBeforeItStarts, line: next) }
        guard end <= SocialGraphLimits.videoLength else { throw TimedTextError(reason: .tooLate, line: next) }
        return (start, end)
    }

    /// `[[hours:]minutes:]seconds[.fraction]`, with anything after white space: settings of the cue.
    static func milliseconds(_ text: Substring) -> Int64? {
        guard let time = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first else { return nil }
        let parts = time.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
        }
        guard seconds.count <= 2 else { return nil }
        var total: Int64 = 0
        for part in parts.dropLast() + [seconds[0]] {
            // A day of hours is far beyond any limit, so nothing overflows.
            guard (1...6).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int64(Substring(part))
            else { return nil }
            total = total * 60 + number
        }
        guard seconds.count == 2 else { return total * 1_000 }
        let fraction = seconds[1]
        guard (1...9).contains(fraction.count), fraction.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = Substring(fraction).prefix(3)
        guard let thousandths = Int64(digits + String(repeating: "0", count: 3 - digits.count)) else { return nil }
        return total * 1_000 + thousandths
    }
}
