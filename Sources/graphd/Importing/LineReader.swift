import Glibc

/// Streams the lines of a file in chunks. A line ends with LF or CR LF; a byte-order mark at the beginning is skipped.
struct LineReader {
    /// Longest line in bytes; a longer one is cut to this length.
    static let lineLimit = 64 << 10

    private let file: InputFile
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// Number of the line returned last, from 1.
    private(set) var lineNumber = 0

    /// - Parameter chunk: bytes read at once.
    init(file: InputFile, chunk: Int = 256 << 10) {
        self.file = file
        buffer = [UInt8](repeating: 0, count: max(chunk, 1))
    }

    /// Passes the next line, without its end, to `body`; nil after the last. `isWhole` is false for a line that was
    /// cut.
    mutating func next<R>(_ body: (_ line: UnsafeBufferPointer<UInt8>, _ isWhole: Bool) throws -> R) throws -> R? {
        var searched = 0
        while true {
            if let length = lengthOfLine(searchedBefore: searched) {
                defer { start += length + 1 }
                return try handOut(length, isWhole: true, body)
            }
            searched = end - start
            if searched > Self.lineLimit { return try handOutCut(body) }
            if isAtEnd {
                guard searched > 0 else { return nil }
                defer { start = end }
                return try handOut(searched, isWhole: true, body)
            }
            try fill()
        }
    }

    private func lengthOfLine(searchedBefore: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + start + searchedBefore, 0x0A, end - start - searchedBefore)
            else { return nil }
            return UnsafeRawPointer(found) - (base + start)
        }
    }

    private mutating func handOut<R>(
        _ length: Int, isWhole: Bool, _ body: (UnsafeBufferPointer<UInt8>, Bool) throws -> R
    ) throws -> R {
        lineNumber += 1
        return try buffer.withUnsafeBufferPointer { bytes in
            var line = UnsafeBufferPointer(rebasing: bytes[start..<start + length])
            if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) {
                line = UnsafeBufferPointer(rebasing: line[3...])
            }
            if isWhole, line.last == 0x0D { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
            return try body(line, isWhole && line.count <= Self.lineLimit)
        }
    }

    /// Passes on the beginning of a line that is too long, then skips the rest of it.
    private mutating func handOutCut<R>(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws -> R) throws -> R {
        let result = try handOut(Self.lineLimit, isWhole: false, body)
        while true {
            if let length = lengthOfLine(searchedBefore: 0) {
                start += length + 1
                return result
            }
            start = end
            if isAtEnd { return result }
            try fill()
        }
    }

    /// Moves the rest to the front and reads after it.
    private mutating func fill() throws {
        if start > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                memmove(base, base + start, end - start)
            }
            end -= start
            start = 0
        }
        if end == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
        let room = end..<buffer.count
        let count = try buffer.withUnsafeMutableBytes { bytes in
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[room]))
        }
        end += count
        isAtEnd = count == 0
    }
}
