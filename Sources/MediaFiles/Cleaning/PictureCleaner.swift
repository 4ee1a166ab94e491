import Foundation
import GraphServices
import NIOCore

/// Removes the metadata that cameras and editors write beside the pixels of a picture: places, times, names, previews.
/// It works on pieces as they arrive, looks at every byte once, and keeps no more than ``headerLimit`` bytes of them.
/// A file with more than ``partLimit`` parts is refused.
///
/// Keeps everything that affects how a picture looks: colour profiles, animation, and the orientation. Drops bytes
/// after the end of the picture, such as the film of a live photo.
struct PictureCleaner {
    /// Largest number of bytes of a part that must be seen whole before it can be judged.
    static let headerLimit = 1 << 20
    /// Largest number of parts judged in one file. To judge a part costs far more than to copy its bytes. A GIF of
    /// 10 MiB in blocks of 127 bytes has 82,000.
    static let partLimit = 100_000

    /// The kind of the present bytes.
    enum Span {
        /// A part's header, which the format judges.
        case header
        case copy(Int)
        case drop(Int)
        /// Compressed data of a JPEG, up to the next marker.
        case scan
        /// All the remaining bytes, which belong to the picture.
        case rest
        case end
    }

    /// Decision of a format on the header it is shown.
    enum Step {
        /// The format must see the first `count` bytes of the part, more than it was shown.
        case need(Int)
        /// `bytes` replace the header.
        case emit([UInt8], then: Span)
        /// The header was `bytes` longer than necessary; they begin the next one.
        case again([UInt8])
    }

    private var format: any PictureFormat
    private var header: [UInt8] = []
    private var wanted: Int
    private var span = Span.header
    /// Number of judgements so far.
    private var parts = 0
    /// In a scan: the last byte was 0xFF, and has not been judged.
    private var isAfterFF = false

    /// Creates a cleaner; nil if nothing is removed from files of this type.
    init?(_ type: MediaType) {
        switch type {
        case .jpeg: format = JPEGFormat()
        case .png: format = PNGFormat()
        case .gif: format = GIFFormat()
        case .webP: format = WebPFormat()
        case .heic, .avif: format = HEIFFormat()
        case .mp4, .appleVideo, .quickTime, .webM, .matroska: return nil
        }
        wanted = format.shortest
    }

    /// Returns the part of the next piece that is kept.
    ///
    /// - Throws: ``MalformedPicture``.
    mutating func clean(_ piece: ByteBuffer) throws -> ByteBuffer {
        var input = piece
        var kept = ByteBuffer()
        while input.readableBytes > 0 {
            switch span {
            case .end: return kept
            case .rest: kept.writeBuffer(&input)
            case .copy(let count):
                let part = input.readSlice(length: min(count, input.readableBytes)) ?? ByteBuffer()
                kept.writeImmutableBuffer(part)
                go(on: .copy(count - part.readableBytes))
            case .drop(let count):
                let skipped = min(count, input.readableBytes)
                input.moveReaderIndex(forwardBy: skipped)
                go(on: .drop(count - skipped))
            case .scan: try scan(&input, &kept)
            case .header:
                header += input.readBytes(length: min(wanted - header.count, input.readableBytes)) ?? []
                while case .header = span, header.count >= wanted { try judge(&kept) }
            }
        }
        return kept
    }

    /// - Throws: ``MalformedPicture`` unless the whole picture has arrived.
    func finish() throws {
        switch span {
        case .end, .rest: return
        case .header where header.isEmpty && format.mayEnd: return
        default: throw MalformedPicture(reason: "it is cut off")
        }
    }

    private mutating func go(on next: Span) {
        switch next {
        case .copy(0), .drop(0): span = .header
        default: span = next
        }
        guard case .header = span else { return }
        if format.isAtEnd { span = .end } else { wanted = format.shortest }
    }

    private mutating func judge(_ kept: inout ByteBuffer) throws {
        parts += 1
        guard parts <= Self.partLimit else { throw MalformedPicture(reason: "it has too many parts") }
        switch try format.next(header) {
        case .need(let count):
            guard count > header.count, count <= Self.headerLimit else {
                throw MalformedPicture(reason: "one of its parts has an impossible length")
            }
            wanted = count
        case .emit(let bytes, let next):
            kept.writeBytes(bytes)
            header.removeAll(keepingCapacity: true)
            go(on: next)
        case .again(let rest):
            header = rest
            wanted = max(format.shortest, rest.count + 1)
        }
    }

    /// Copies compressed data. In it 0xFF is followed by 0, or by the number of a restart; anything else is a marker.
    private mutating func scan(_ input: inout ByteBuffer, _ kept: inout ByteBuffer) throws {
        if isAfterFF, let byte: UInt8 = input.readInteger() {
            guard byte != 0xFF else { return }
            isAfterFF = false
            if Self.continuesScan(byte) {
                kept.writeInteger(0xFF00 | UInt16(byte))
            } else {
                span = .header
                header = [0xFF, byte]
                wanted = 2
                while case .header = span, header.count >= wanted { try judge(&kept) }
            }
            return
        }
        let length = input.withUnsafeReadableBytes(Self.scanLength)
        if let part = input.readSlice(length: length) { kept.writeImmutableBuffer(part) }
        isAfterFF = input.readInteger(as: UInt8.self) != nil
    }

    /// Returns the number of bytes before the first 0xFF that may begin a marker.
    private static func scanLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        while let found = memchr(base + start, 0xFF, bytes.count - start) {
            let place = base.distance(to: UnsafeRawPointer(found))
            guard place + 1 < bytes.count, continuesScan(bytes[place + 1]) else { return place }
            start = place + 2
        }
        return bytes.count
    }

    /// Returns true for a byte that makes a preceding 0xFF part of the compressed data.
    private static func continuesScan(_ byte: UInt8) -> Bool { byte == 0 || (0xD0...0xD7).contains(byte) }
}

/// The structure of one kind of file.
protocol PictureFormat: Sendable {
    /// Length in bytes of the shortest possible header at this place.
    var shortest: Int { get }
    /// True if nothing more belongs to the picture.
    var isAtEnd: Bool { get }
    /// True if the file may end here.
    var mayEnd: Bool { get }
    /// Judges a part by its first bytes, at least ``shortest`` of them.
    ///
    /// - Throws: ``MalformedPicture``.
    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step
}

extension PictureFormat {
    /// False by default, for formats with a part that marks the end.
    var isAtEnd: Bool { false }
    var mayEnd: Bool { false }
}

/// A picture that violates the structure of its format.
struct MalformedPicture: Error, Equatable {
    let reason: String
}

extension ArraySlice<UInt8> {
    /// The bytes as a number, the most significant first.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
    /// The bytes as a number, the least significant first.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
