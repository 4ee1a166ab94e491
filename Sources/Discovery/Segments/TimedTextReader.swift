import SocialGraph
import Text

/// Reads a transcript line by line and block by block. Blocks are separated by empty lines.
struct TimedTextReader {
    /// A line without its line end, and the findings of one pass over its bytes.
    private struct Line {
        let range: Range<Int>
        /// True for a line of only spaces and tabs.
        let isBlank: Bool
        /// Start of the first `-->`; nil for a line without timing.
        let arrow: Int?
    }

    private let bytes: [UInt8]
    private var budget: StepBudget
    /// Start of the line after `current`; nil if `current` is the last.
    private var following: Int?
    /// The next line to read; nil at the end.
    private var current: Line?
    /// Number of the line read last, from 1.
    private(set) var line = 0

    init(_ bytes: [UInt8], _ budget: StepBudget) {
        self.bytes = bytes
        self.budget = budget
        following = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var steps: Int { budget.taken }

    /// Examines the first line. Must be called once, before all other methods.
    mutating func begin() throws { current = try look() }

    /// Advances by one line.
    private mutating func advance() throws {
        line += 1
        current = try look()
    }

    /// Returns the line that begins at `following`. Lines end with a carriage return, a line feed, or both.
    private mutating func look() throws -> Line? {
        guard let start = following else { return nil }
        var (end, dashes) = (start, 0)
        var isBlank = true
        var arrow: Int?
        scan: while end < bytes.count {
            switch bytes[end] {
            case 0x0A, 0x0D: break scan
            case 0x20, 0x09: dashes = 0
            case UInt8(ascii: "-"):
                dashes += 1
                isBlank = false
            case UInt8(ascii: ">"):
                if dashes >= 2, arrow == nil { arrow = end - 2 }
                dashes = 0
                isBlank = false
            default:
                dashes = 0
                isBlank = false
            }
            end += 1
        }
        try budget.take(end - start + 1)
        if end == bytes.count {
            following = nil
        } else {
            let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
            following = end + (isPair ? 2 : 1)
        }
        return Line(range: start..<end, isBlank: isBlank, arrow: arrow)
    }

    /// Reads `WEBVTT`, with anything after a space, and the lines up to the first empty line or cue.
    mutating func readHeader() throws {
        let header = current.map { bytes[$0.range] } ?? []
        guard header.starts(with: "WEBVTT".utf8), [nil, 0x20, 0x09].contains(header.dropFirst(6).first) else {
            throw TimedTextError(reason: .noHeader, line: 1)
        }
        try advance()
        while let line = current, !line.isBlank, line.arrow == nil { try advance() }
    }

    /// Returns the next cue; nil at the end. A cue without text has empty text.
    mutating func nextCue() throws -> Cue? {
        while true {
            while let line = current, line.isBlank { try advance() }
            guard let first = current else { return nil }
            if isNoCue(first) {
                while let line = current, !line.isBlank { try advance() }
                continue
            }
            if first.arrow == nil {
                // An identifier or the number of the cue; only a timing may follow.
                try advance()
                guard let timing = current, !timing.isBlank else { continue }
                guard timing.arrow != nil else { throw TimedTextError(reason: .badTiming, line: line + 1) }
            }
            guard let timing = current else { return nil }
            try advance()
            let (start, end) = try interval(timing)
            return Cue(start: start, end: end, text: try cueText())
        }
    }

    /// Returns the lines of a cue as text: up to an empty line, or to a timing that follows without one.
    private mutating func cueText() throws -> String {
        var text = CueText()
        while let line = current, !line.isBlank, line.arrow == nil {
            try budget.take(text.add(bytes[line.range]))
            try advance()
        }
        return text.text
    }

    private func isNoCue(_ line: Line) -> Bool {
        guard line.arrow == nil else { return false }
        let text = bytes[line.range]
        return ["NOTE", "STYLE", "REGION"].contains { word in
            text.starts(with: word.utf8) && [nil, 0x20, 0x09].contains(text.dropFirst(word.utf8.count).first)
        }
    }

    private func interval(_ timing: Line) throws -> (start: Int64, end: Int64) {
        guard let arrow = timing.arrow, let start = Self.milliseconds(bytes[timing.range.lowerBound..<arrow]),
            let end = Self.milliseconds(bytes[arrow + 3..<timing.range.upperBound])
        else { throw TimedTextError(reason: .badTiming, line: line) }
        guard start < end else { throw TimedTextError(reason: .endsBeforeItStarts, line: line) }
        guard end <= DiscoveryLimits.videoLength else { throw TimedTextError(reason: .tooLate, line: line) }
        return (start, end)
    }

    /// Bytes of the longest valid time: three numbers of six digits, and a fraction of nine.
    private static let timeBytes = 3 * 7 + 9

    /// Parses `[[hours:]minutes:]seconds[.fraction]`; the settings of the cue may follow after white space.
    static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        let time = text.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
        guard !time.isEmpty, time.count <= timeBytes else { return nil }
        let parts = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
        }
        guard seconds.count <= 2 else { return nil }
        var total: Int64 = 0
        for part in parts.dropLast() + [seconds[0]] {
            // Six digits of hours exceed any limit, so nothing overflows.
            guard let number = number(part, digits: 6) else { return nil }
            total = total * 60 + number
        }
        guard seconds.count == 2 else { return total * 1_000 }
        guard number(seconds[1], digits: 9) != nil else { return nil }
        var thousandths: Int64 = 0
        for place in 0..<3 {
            let digit = place < seconds[1].count ? seconds[1][seconds[1].startIndex + place] - 0x30 : 0
            thousandths = thousandths * 10 + Int64(digit)
        }
        return total * 1_000 + thousandths
    }

    /// Parses 1 to `digits` decimal digits.
    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int64? {
        guard (1...digits).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
