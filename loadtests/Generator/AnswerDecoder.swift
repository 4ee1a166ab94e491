import NIOCore

/// Finds the end of each answer and yields its status and size. It reads no more of HTTP/1.1 than that, because the
/// generator shares two cores with the measured server: an answer has a Content-Length, or it has no body (204, 304).
/// NIO's own decoder needs requests as values, which are bytes here.
struct AnswerDecoder: ByteToMessageDecoder {
    typealias InboundOut = Answer

    struct Answer {
        let status: Int
        /// Length of the body in bytes.
        let body: Int
    }

    enum Malformed: Error { case head }

    private static let length = Array("content-length:".utf8)

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let found = try buffer.withUnsafeReadableBytes { bytes -> (size: Int, answer: Answer)? in
            guard let head = Self.endOfHead(bytes) else { return nil }
            let (status, body) = try Self.read(UnsafeRawBufferPointer(rebasing: bytes[..<head]))
            return head + body <= bytes.count ? (head + body, Answer(status: status, body: body)) : nil
        }
        guard let found else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: found.size)
        context.fireChannelRead(wrapInboundOut(found.answer))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState { .needMoreData }

    /// Returns the index after the empty line; nil if it has not arrived.
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 3
        while index < bytes.count {
            if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A { return index + 1 }
            index += 1
        }
        return nil
    }

    /// Reads "HTTP/1.1 200 OK", then headers.
    private static func read(_ head: UnsafeRawBufferPointer) throws -> (status: Int, body: Int) {
        guard head.count > 12, let status = number(head[9..<12]) else { throw Malformed.head }
        if status == 204 || status == 304 { return (status, 0) }
        var start = 0
        while start < head.count {
            let end = head[start...].firstIndex(of: 0x0A) ?? head.count
            let line = head[start..<end]
            if line.count > length.count, zip(line, length).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 }) {
                guard let body = number(line.dropFirst(length.count)) else { throw Malformed.head }
                return (status, body)
            }
            start = end + 1
        }
        throw Malformed.head
    }

    /// Reads digits with surrounding white space.
    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        var value: Int?
        for byte in bytes where byte != 0x20 && byte != 0x0D {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = (value ?? 0) * 10 + Int(byte - 0x30)
        }
        return value
    }
}
