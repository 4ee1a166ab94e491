import GraphServices
import NIOCore

/// Pulls the parts of a multipart/form-data body one by one out of its chunks, as they come over the network:
///
///     while let part = try await reader.nextPart() {
///         while let piece = try await reader.nextPiece() { … }
///     }
///
/// It reads a chunk only when its caller has taken everything before it, so that a slow disk slows the sender down, and
/// no part is ever held in memory.
struct MultipartReader<Chunks: AsyncIteratorProtocol> where Chunks.Element == ByteBuffer {
    private var chunks: Chunks
    private var parser: MultipartParser
    private let limit: Int
    private var received = 0
    private var isInPart = false
    private var digest: FormFingerprint?

    /// - Parameters:
    ///   - limit: bytes of the whole body, delimiters included.
    ///   - isFingerprinted: true if ``fingerprint()`` is needed.
    init(_ chunks: Chunks, boundary: MultipartBoundary, limit: Int, isFingerprinted: Bool = false) {
        digest = isFingerprinted ? FormFingerprint() : nil
        self.chunks = chunks
        parser = MultipartParser(boundary: boundary)
        self.limit = limit
    }

    /// Returns the next part and skips the rest of the one before; nil after the last, when the whole body has arrived.
    ///
    /// - Throws: `Problem` 400 `malformed_multipart`, 413 `body_too_large`; the errors of reading a chunk.
    mutating func nextPart() async throws -> MultipartPart? {
        while isInPart { _ = try await nextPiece() }
        while let event = try await nextEvent() {
            if case .part(let part) = event {
                isInPart = true
                digest?.begin(part.name)
                return part
            }
        }
        return nil
    }

    /// Returns a piece of the content of the present part, never empty; nil at its end.
    ///
    /// - Throws: as ``nextPart()``.
    mutating func nextPiece() async throws -> ByteBuffer? {
        guard isInPart else { return nil }
        if case .content(let piece)? = try await nextEvent() {
            digest?.add(piece)
            return piece
        }
        isInPart = false
        return nil
    }

    /// Returns the digest of the form, once its last part has been read; nil if none was asked for.
    mutating func fingerprint() -> [UInt8]? { digest?.end() }

    /// Returns the whole content of the present part.
    ///
    /// - Throws: as ``nextPart()``; `Problem` 413 `body_too_large` beyond `limit` bytes.
    mutating func collectPart(upTo limit: Int, field: String) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await nextPiece() {
            guard bytes.count + piece.readableBytes <= limit else {
                throw Problem(.bodyTooLarge, "\"\(field)\" may have at most \(limit) bytes.", field: field)
            }
            bytes += piece.readableBytesView
        }
        return bytes
    }

    /// Returns the next event; nil once all chunks have arrived and the body was complete.
    private mutating func nextEvent() async throws -> MultipartParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            guard let chunk = try await chunks.next() else {
                try parser.finish()
                return nil
            }
            received += chunk.readableBytes
            guard received <= limit else {
                throw Problem(.bodyTooLarge, "The body may have at most \(limit) bytes.")
            }
            parser.append(chunk)
        }
    }
}
