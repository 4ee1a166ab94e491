import GraphServices
import SocialGraph
import Text

/// Streams the records of a file of comma-separated values (RFC 4180; LF as a line end, a byte-order mark and blank
/// lines are also accepted).
struct CSVReader {
    struct Record: Equatable {
        /// The number of its first line, from 1.
        let line: Int
        let fields: Result<[String], LineProblem>
    }

    /// Largest record in bytes: the same as for a request body.
    static let recordLimit = RequestLimits.bodyBytes

    private let file: InputFile
    private var buffer: [UInt8]
    private var position = 0
    private var end = 0
    private var splitter = CSVFieldSplitter()
    /// The line of the next byte.
    private var line = 1
    private var isAtStart = true

    init(file: InputFile, chunk: Int = 256 << 10) {
        self.file = file
        buffer = [UInt8](repeating: 0, count: max(chunk, 1))
    }

    /// Returns the next record; nil after the last.
    mutating func next() throws -> Record? {
        try skipByteOrderMark()
        while true {
            let first = line
            guard let record = try readRecord() else { return nil }
            guard let record = record.skippingBlank else { continue }
            return Record(line: first, fields: record)
        }
    }

    private enum RawRecord {
        case blank
        case content(Result<[String], LineProblem>)

        var skippingBlank: Result<[String], LineProblem>? {
            if case .content(let result) = self { result } else { nil }
        }
    }

    private mutating func readRecord() throws -> RawRecord? {
        var problem: LineProblem?
        var size = 0
        var pendingReturn = false
        while let byte = try nextByte() {
            if byte == UInt8(ascii: "\n") {
                line += 1
                if !splitter.isInsideQuotes { return finish(problem) }
            }
            size += 1
            if size == Self.recordLimit, problem == nil {
                problem = LineProblem(
                    "the record has more than \(Self.recordLimit) bytes", "a quotation mark is probably not closed")
            }
            do {
                // A CR belongs to the line end if LF follows, otherwise to the field.
                if pendingReturn { try feed(UInt8(ascii: "\r"), after: problem) }
                pendingReturn = byte == UInt8(ascii: "\r") && !splitter.isInsideQuotes
                if !pendingReturn { try feed(byte, after: problem) }
            } catch let error as LineProblem {
                problem = error
            }
        }
        return size == 0 && splitter.isEmpty ? nil : finish(problem)
    }

    /// Consumes a byte. After a problem, only quotation marks are followed to find the end of the record; nothing is
    /// kept.
    private mutating func feed(_ byte: UInt8, after problem: LineProblem?) throws {
        if problem == nil {
            try splitter.consume(byte)
        } else {
            splitter.skip(byte)
        }
    }

    private mutating func finish(_ problem: LineProblem?) -> RawRecord {
        if problem == nil, splitter.isEmpty { return .blank }
        do {
            let fields = try splitter.finish()
            if let problem { return .content(.failure(problem)) }
            let texts = fields.compactMap { String(validating: $0, as: UTF8.self) }
            guard texts.count == fields.count else {
                return .content(.failure(LineProblem("it is not UTF-8 text", "save the file as UTF-8")))
            }
            guard fields.allSatisfy({ StreamSafeText.holds($0) }) else {
                return .content(.failure(LineProblem("it has too many combining marks", StreamSafeText.rule)))
            }
            guard fields.allSatisfy({ !$0.contains(0) }) else {
                return .content(.failure(LineProblem("it has the byte 0x00", "save the file as UTF-8 without it")))
            }
            return .content(.success(texts))
        } catch {
            return .content(.failure(problem ?? (error as? LineProblem) ?? LineProblem("\(error)")))
        }
    }

    private mutating func skipByteOrderMark() throws {
        guard isAtStart else { return }
        isAtStart = false
        if try peek(3) == [0xEF, 0xBB, 0xBF] { position += 3 }
    }

    private mutating func peek(_ count: Int) throws -> [UInt8] {
        if buffer.count < count { buffer.append(contentsOf: repeatElement(0, count: count - buffer.count)) }
        while end < count {
            let room = end..<buffer.count
            let read = try buffer.withUnsafeMutableBytes {
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[room]))
            }
            if read == 0 { break }
            end += read
        }
        return Array(buffer[..<min(count, end)])
    }

    private mutating func nextByte() throws -> UInt8? {
        if position == end {
            end = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            position = 0
            if end == 0 { return nil }
        }
        defer { position += 1 }
        return buffer[position]
    }
}
