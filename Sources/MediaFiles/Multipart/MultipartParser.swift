import Glibc
import GraphServices
import NIOCore

/// Parses a multipart/form-data body (RFC 7578, RFC 2046), chunk by chunk and without reading ahead. It holds the
/// headers of one part, or the possible beginning of a delimiter, and returns everything else at once.
///
/// A value that never waits: its caller decides where the chunks come from. It is strict: every line ends with CRLF,
/// and the boundary may not occur at the beginning of a line of a part's content, whatever follows it.
package struct MultipartParser {
    package enum Event: Equatable {
        case part(MultipartPart)
        /// A piece of the content of the latest part, never empty.
        case content(ByteBuffer)
        /// The content of the part is complete.
        case partEnd
        /// The closing delimiter has arrived. Anything after it is ignored.
        case end
    }

    private enum State {
        /// Before the first delimiter.
        case preamble
        /// Directly after a delimiter.
        case delimited
        /// In a line that ends a delimiter, where only white space is allowed.
        case padding
        case headers
        /// At the CRLF of the empty line, which in a part without content may begin the next delimiter.
        case emptyLine
        case content
        case ended
    }

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var pending: ByteBuffer
    /// Number of bytes at the head of `pending` that contain no end of the headers.
    private var searched = 0
    private var parts = 0
    /// Number of skipped bytes of the preamble, or of the padding.
    private var skipped = 0

    package init(boundary: MultipartBoundary) {
        delimiter = boundary.delimiter
        // The first delimiter may be at the very beginning; this is then the CRLF before it.
        pending = ByteBuffer(bytes: [Self.carriageReturn, Self.lineFeed])
    }

    /// Adds received bytes. Call ``next()`` until it returns nil.
    package mutating func append(_ chunk: ByteBuffer) {
        guard pending.readableBytes > 0 else {
            pending = chunk
            return
        }
        var joined = ByteBuffer()
        joined.reserveCapacity(pending.readableBytes + chunk.readableBytes)
        joined.writeImmutableBuffer(pending)
        joined.writeImmutableBuffer(chunk)
        pending = joined
    }

    /// Returns the next event; nil if more bytes are needed.
    ///
    /// - Throws: `Problem` 400 `malformed_multipart`.
    package mutating func next() throws -> Event? {
        while true {
            let before = state
            let event: Event? =
                switch state {
                case .preamble: try skipPreamble()
                case .delimited: try readDelimiterEnd()
                case .padding: try skipPadding()
                case .headers: try readHeaders()
                case .emptyLine: skipEmptyLine()
                case .content: readContent()
                case .ended: dropEpilogue()
                }
            if event != nil || state == before { return event }
        }
    }

    /// Checks that the body is complete. Call it after the last chunk.
    ///
    /// - Throws: `Problem` 400 `malformed_multipart` if the closing delimiter is missing.
    package func finish() throws {
        switch state {
        case .ended: return
        case .preamble: throw Self.noBoundary
        case .delimited, .padding, .headers, .emptyLine, .content:
            throw MultipartPart.malformed(
                "The body ends before its closing boundary: it was cut off, or does not end with \"--\".")
        }
    }
}

// MARK: - One method for each state; each returns nil in the same state if more bytes are needed.

extension MultipartParser {
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private static let noBoundary = MultipartPart.malformed(
        "The body does not begin with the boundary that Content-Type names.")
    private static let strayBoundary = MultipartPart.malformed(
        "A boundary must be followed by CRLF or, at the end, by \"--\"; choose a boundary that occurs in no part.")

    private mutating func skipPreamble() throws -> Event? {
        let (length, isDelimiter) = lengthBeforeDelimiter()
        skipped += length
        // Clients send none or a line; without a bound, a wrong boundary would only show at the end of the body.
        guard skipped <= RequestLimits.multipartHeaderBytes else { throw Self.noBoundary }
        pending.moveReaderIndex(forwardBy: length)
        if isDelimiter { passDelimiter() }
        return nil
    }

    private mutating func passDelimiter() {
        pending.moveReaderIndex(forwardBy: delimiter.count)
        skipped = 0
        state = .delimited
    }

    /// Two hyphens mean that no part follows.
    private mutating func readDelimiterEnd() throws -> Event? {
        let hyphen = UInt8(ascii: "-")
        guard let first = pending.getInteger(at: pending.readerIndex, as: UInt8.self) else { return nil }
        guard first == hyphen else {
            state = .padding
            return nil
        }
        guard let second = pending.getInteger(at: pending.readerIndex + 1, as: UInt8.self) else { return nil }
        guard second == hyphen else { throw Self.strayBoundary }
        state = .ended
        return .end
    }

    private mutating func skipPadding() throws -> Event? {
        while let byte = pending.getInteger(at: pending.readerIndex, as: UInt8.self) {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                skipped += 1
                guard skipped <= RequestLimits.multipartHeaderBytes else { throw Self.strayBoundary }
                pending.moveReaderIndex(forwardBy: 1)
            case Self.carriageReturn:
                guard let next = pending.getInteger(at: pending.readerIndex + 1, as: UInt8.self) else { return nil }
                guard next == Self.lineFeed else { throw Self.strayBoundary }
                pending.moveReaderIndex(forwardBy: 2)
                parts += 1
                guard parts <= RequestLimits.multipartParts else {
                    throw MultipartPart.malformed("The body may have at most \(RequestLimits.multipartParts) parts.")
                }
                searched = 0
                state = .headers
                return nil
            default: throw Self.strayBoundary
            }
        }
        return nil
    }

    private mutating func readHeaders() throws -> Event? {
        let found = endOfHeaders()
        guard found ?? pending.readableBytes <= RequestLimits.multipartHeaderBytes else {
            throw MultipartPart.malformed(
                "The header of a part may have at most \(RequestLimits.multipartHeaderBytes) bytes.")
        }
        guard let found else {
            searched = pending.readableBytes
            return nil
        }
        let bytes = pending.readBytes(length: found) ?? []
        pending.moveReaderIndex(forwardBy: 2)
        state = .emptyLine
        return .part(try MultipartPart(headers: bytes))
    }

    private func endOfHeaders() -> Int? {
        let end = [Self.carriageReturn, Self.lineFeed, Self.carriageReturn, Self.lineFeed]
        return pending.withUnsafeReadableBytes { bytes in
            // Its first three bytes may have arrived with an earlier chunk.
            var index = max(searched - 3, 0)
            while index + end.count <= bytes.count {
                if bytes[index] == end[0], bytes[index..<index + end.count].elementsEqual(end) { return index }
                index += 1
            }
            return nil
        }
    }

    private mutating func skipEmptyLine() -> Event? {
        let (length, isDelimiter) = lengthBeforeDelimiter()
        if isDelimiter, length == 0 {
            passDelimiter()
            return .partEnd
        }
        guard length > 0 else { return nil }
        pending.moveReaderIndex(forwardBy: 2)
        state = .content
        return nil
    }

    private mutating func readContent() -> Event? {
        let (length, isDelimiter) = lengthBeforeDelimiter()
        if length > 0 { return pending.readSlice(length: length).map(Event.content) }
        guard isDelimiter else { return nil }
        passDelimiter()
        return .partEnd
    }

    private mutating func dropEpilogue() -> Event? {
        pending.clear()
        return nil
    }

    /// Returns the number of bytes at the head of `pending` that belong to no delimiter, and whether a whole delimiter
    /// follows them. Otherwise nothing follows, or the possible beginning of a delimiter.
    private func lengthBeforeDelimiter() -> (length: Int, isDelimiter: Bool) {
        pending.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return (0, false) }
            var start = 0
            while start < bytes.count,
                let found = memchr(base + start, Int32(Self.carriageReturn), bytes.count - start)
            {
                let index = UnsafeRawPointer(found) - base
                let length = min(delimiter.count, bytes.count - index)
                if memcmp(found, delimiter, length) == 0 { return (index, length == delimiter.count) }
                start = index + 1
            }
            return (bytes.count, false)
        }
    }
}
