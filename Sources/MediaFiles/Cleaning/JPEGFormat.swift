/// ISO/IEC 10918-1: markers with segments, and compressed data after each start of scan.
///
/// Keeps the tables and frames, JFIF without its preview, colour profiles and Adobe's note on colours. Reduces EXIF to
/// the orientation. Drops XMP, IPTC, previews, further pictures and comments.
struct JPEGFormat: PictureFormat {
    private var hasBegun = false
    private var hasOrientation = false

    let shortest = 2

    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step {
        guard hasBegun else {
            guard header == [0xFF, 0xD8] else { throw MalformedPicture(reason: "it does not begin like a JPEG") }
            hasBegun = true
            return .emit(header, then: .header)
        }
        guard header[0] == 0xFF else { throw MalformedPicture(reason: "a marker is missing") }
        let marker = header[1]
        switch marker {
        case 0xFF: return .again([0xFF])
        case 0xD9: return .emit(header, then: .end)
        case 0x01, 0xD0...0xD7: return .emit(header, then: .header)
        case 0x00, 0xD8: throw MalformedPicture(reason: "a marker is out of place")
        default: return try segment(marker, header)
        }
    }

    private mutating func segment(_ marker: UInt8, _ header: [UInt8]) throws -> PictureCleaner.Step {
        guard header.count >= 4 else { return .need(4) }
        let end = 2 + Int(header[2..<4].bigEndian)
        guard end >= 4 else { throw MalformedPicture(reason: "a segment has an impossible length") }
        /// The kind of a segment by its first bytes, if it is of interest.
        func names(_ text: String) -> PictureCleaner.Step? {
            let needed = min(end, 4 + text.utf8.count)
            return header.count < needed ? .need(needed) : nil
        }
        func keep() -> PictureCleaner.Step { .emit(header, then: .copy(end - header.count)) }
        func drop() -> PictureCleaner.Step { .emit([], then: .drop(end - header.count)) }
        switch marker {
        case 0xDA: return header.count < end ? .need(end) : .emit(header, then: .scan)
        case 0xC0...0xCF, 0xDB...0xDF, 0xEE: return keep()
        case 0xE0, 0xE2:
            let name = marker == 0xE0 ? "JFIF\0" : "ICC_PROFILE\0"
            if let more = names(name) { return more }
            return header[4...].starts(with: name.utf8) ? keep() : drop()
        case 0xE1:
            guard header.count >= end else { return .need(end) }
            return .emit(orientation(header[4...]), then: .header)
        default: return drop()
        }
    }

    /// Returns a segment with only the orientation of the EXIF in `payload`; empty if the picture is upright.
    private mutating func orientation(_ payload: ArraySlice<UInt8>) -> [UInt8] {
        let name = Array("Exif\0\0".utf8)
        guard !hasOrientation, payload.starts(with: name),
            let orientation = ExifOrientation.find(in: payload.dropFirst(name.count)), orientation != 1
        else { return [] }
        hasOrientation = true
        let segment = name + ExifOrientation.encoded(orientation)
        return [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
    }
}
