import SocialGraph
import Text

/// One reader for both formats, as lenient as players. It accepts a byte order mark, any line ends, hours of any length
/// or none, a comma or a dot before the milliseconds, cue identifiers and settings, and harmless white space. It skips
/// everything but cues: NOTE, STYLE and REGION blocks and the header's metadata.
///
/// It works on bytes, in one pass and in linear time. A budget of steps stops it should it ever take longer.
extension Transcript {
    /// Treatment of combining marks beyond those that ``StreamSafeText`` allows in a row. Where they are dropped, cues
    /// of any length are read.
    enum ExcessMarks {
        case refused, dropped
    }

    /// Largest number of steps for each byte of a transcript.
    static let stepsOfByte = 8

    /// Throws ``TimedTextError`` with the line at which `bytes` stop being a transcript; `CancellationError` once
    /// `isCancelled` returns true.
    package init(
        _ bytes: [UInt8], as format: TimedTextFormat, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        var steps = 0
        try self.init(bytes, as: format, excessMarks: .refused, steps: &steps, isCancelled: isCancelled)
    }

    /// Throws ``TimedTextError``.
    package init(_ text: String, as format: TimedTextFormat) throws { try self.init(Array(text.utf8), as: format) }

    /// - Parameter steps: callback with the number of steps taken.
    init(
        _ bytes: [UInt8], as format: TimedTextFormat, excessMarks: ExcessMarks, steps: inout Int,
        isCancelled: @escaping () -> Bool = { false }
    ) throws {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            let start = bytes.prefix(Self.validPrefix(of: bytes))
            throw TimedTextError(reason: .notUTF8, line: 1 + start.count { $0 == 0x0A })
        }
        let budget = StepBudget(limit: Self.stepsOfByte * (bytes.count + 512), isCancelled: isCancelled)
        var reader = TimedTextReader(bytes, budget)
        defer { steps = reader.steps }
        do {
            try self.init(&reader, as: format, excessMarks)
        } catch is StepBudget.Exhausted {
            throw TimedTextError(reason: .tooMuchWork, line: max(1, reader.line))
        }
    }

    private init(_ reader: inout TimedTextReader, as format: TimedTextFormat, _ excessMarks: ExcessMarks) throws {
        try reader.begin()
        if format == .webVTT { try reader.readHeader() }
        var cues: [Cue] = []
        while let cue = try reader.nextCue() {
            guard cues.count < DiscoveryLimits.transcriptCues else {
                throw TimedTextError(reason: .tooManyCues, line: reader.line)
            }
            guard !cue.text.isEmpty else { continue }
            guard excessMarks == .dropped || cue.text.utf8.count <= DiscoveryLimits.cueBytes else {
                throw TimedTextError(reason: .tooLongCue, line: reader.line)
            }
            if StreamSafeText.holds(cue.text) {
                cues.append(cue)
            } else if excessMarks == .dropped {
                cues.append(Cue(start: cue.start, end: cue.end, text: StreamSafeText.bounded(cue.text)))
            } else {
                throw TimedTextError(reason: .tooManyMarks, line: reader.line)
            }
        }
        guard !cues.isEmpty else { throw TimedTextError(reason: .noCues, line: max(1, reader.line)) }
        self.init(cues: cues.sorted { ($0.start, $0.end) < ($1.start, $1.end) })
    }

    /// Returns the length of the longest prefix of `bytes` that ends with a line and is valid UTF-8.
    private static func validPrefix(of bytes: [UInt8]) -> Int {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            guard String(validating: bytes[start..<end], as: UTF8.self) != nil else { return start }
            start = end + 1
        }
        return bytes.count
    }
}
