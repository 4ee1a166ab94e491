import Algorithms

/// The header of a box (ISO/IEC 14496-12, section 4.2).
struct HEIFBox {
    let type: String
    /// Length of the whole box; `Int.max` if it extends to the end of the file.
    let length: Int
    /// Start of the contents.
    let contents: Int

    /// Reads the header; nil if more bytes are needed.
    ///
    /// - Throws: ``MalformedPicture``.
    init?(_ header: some RandomAccessCollection<UInt8>) throws {
        let bytes = Array(header.prefix(16))
        guard bytes.count >= 8 else { return nil }
        type = String(decoding: bytes[4..<8], as: UTF8.self)
        let short = bytes[..<4].bigEndian
        switch short {
        case 0: (length, contents) = (.max, 8)
        case 1:
            guard bytes.count >= 16 else { return nil }
            let long = bytes[8..<16].bigEndian
            guard (16...1 << 48).contains(long) else { throw HEIFItems.impossible }
            (length, contents) = (Int(long), 16)
        default:
            guard short >= 8 else { throw HEIFItems.impossible }
            (length, contents) = (Int(short), 8)
        }
    }
}

/// The bytes of the attachments of a picture: EXIF, XMP and other texts.
struct HEIFItems {
    struct Extent {
        /// Start of the extent, in the file or, for contents of the box `meta`, in that box.
        var start: Int
        var length: Int
        /// Number of bytes replaced so far.
        var done = 0
        let isExif: Bool

        /// Returns the bytes that replace `range` of this extent.
        func replacement(_ range: Range<Int>) -> [UInt8] {
            // TIFF without entries, after its offset.
            let exif: [UInt8] = isExif ? [0, 0, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0] : []
            return range.map { $0 < exif.count ? exif[$0] : 0 }
        }
    }

    static let impossible = MalformedPicture(reason: "a box has an impossible length or location")

    /// Extents in the box `meta`, in order of position, without overlaps.
    private(set) var inside: [Extent] = []
    /// Extents elsewhere in the file, in order of position, without overlaps.
    private(set) var outside: [Extent] = []

    /// Reads the contents of a box `meta`; `inside` counts from their beginning.
    ///
    /// - Throws: ``MalformedPicture``.
    init(_ contents: ArraySlice<UInt8>) throws {
        let bytes = Array(contents)
        var boxes: [String: Range<Int>] = [:]
        var place = 4
        while place < bytes.count {
            guard let box = try HEIFBox(bytes[place...]), box.length <= bytes.count - place else {
                throw Self.impossible
            }
            guard boxes[box.type] == nil else { throw MalformedPicture(reason: "a box occurs twice") }
            boxes[box.type] = place + box.contents..<place + box.length
            place += box.length
        }
        guard let infos = boxes["iinf"], let places = boxes["iloc"] else { return }
        var reader = HEIFReader(bytes, infos)
        let attached = try Self.attached(&reader)
        reader = HEIFReader(bytes, places)
        try readPlaces(&reader, attached, data: boxes["idat"])
        inside = try Self.inOrder(inside)
        outside = try Self.inOrder(outside)
    }

    /// Returns extents in order of position. Extents without overlaps replace each byte of the file at most once.
    ///
    /// - Throws: ``MalformedPicture`` if two extents overlap.
    private static func inOrder(_ extents: [Extent]) throws -> [Extent] {
        let sorted = extents.sorted { $0.start < $1.start }
        for (one, next) in sorted.adjacentPairs() where one.start + one.length > next.start { throw impossible }
        return sorted
    }

    /// Returns the ids of the items that are not pictures; the value is true for EXIF.
    private static func attached(_ reader: inout HEIFReader) throws -> [Int: Bool] {
        let version = try reader.number(4) >> 24
        let count = try reader.number(version == 0 ? 2 : 4)
        var attached: [Int: Bool] = [:]
        for _ in 0..<count {
            var entry = try reader.box()
            let version = try entry.number(4) >> 24
            guard version >= 2 else { continue }
            let id = try entry.number(version == 2 ? 2 : 4)
            _ = try entry.number(2)
            let type = try entry.number(4)
            switch type {
            case 0x4578_6966: attached[id] = true  // "Exif"
            case 0x6D69_6D65, 0x7572_6920: attached[id] = false  // "mime", "uri "
            default: break
            }
        }
        return attached
    }

    private mutating func readPlaces(
        _ reader: inout HEIFReader, _ attached: [Int: Bool], data: Range<Int>?
    ) throws {
        let version = try reader.number(4) >> 24
        guard version <= 2 else { throw MalformedPicture(reason: "its items have an unknown format") }
        let sizes = try reader.number(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        let extentSize = offsetSize + lengthSize + indexSize
        let count = try reader.number(version < 2 ? 2 : 4)
        for _ in 0..<count {
            let id = try reader.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try reader.number(2) & 15
            _ = try reader.number(2)
            let base = try reader.number(baseSize)
            let extents = try reader.number(2)
            // Extents that take no bytes would cost time out of proportion to the file.
            guard extents <= 1 || extentSize > 0 else { throw Self.impossible }
            for index in 0..<extents {
                _ = try reader.number(indexSize)
                let (start, overflows) = base.addingReportingOverflow(try reader.number(offsetSize))
                let length = try reader.number(lengthSize)
                guard let isExif = attached[id] else { continue }
                guard !overflows, start < 1 << 48, length < 1 << 48, length > 0 else { throw Self.impossible }
                var extent = Extent(start: start, length: length, isExif: isExif && index == 0)
                switch method {
                case 0: outside.append(extent)
                case 1:
                    guard let data, start + length <= data.count else { throw Self.impossible }
                    extent.start += data.lowerBound
                    inside.append(extent)
                default: throw MalformedPicture(reason: "its EXIF data has a location of an unknown kind")
                }
            }
        }
    }
}

/// Reads numbers one after the other.
struct HEIFReader {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// Reads a number of 0 to 8 bytes; 0 bytes give 0.
    ///
    /// - Throws: ``MalformedPicture``.
    mutating func number(_ size: Int) throws -> Int {
        guard size <= 8, place <= end - size, let number = Int(exactly: bytes[place..<place + size].bigEndian) else {
            throw HEIFItems.impossible
        }
        place += size
        return number
    }

    /// Returns the contents of the next box.
    ///
    /// - Throws: ``MalformedPicture``.
    mutating func box() throws -> HEIFReader {
        guard place <= end, let box = try HEIFBox(bytes[place..<end]), box.length <= end - place else {
            throw HEIFItems.impossible
        }
        let contents = HEIFReader(bytes, place + box.contents..<place + box.length)
        place += box.length
        return contents
    }
}
