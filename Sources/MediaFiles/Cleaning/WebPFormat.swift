/// RIFF with chunks of even length. The total length comes first, before the chunks are known, so no chunk is taken
/// out: XMP and unknown chunks become `JUNK` of zeros, and EXIF is reduced to the orientation.
struct WebPFormat: PictureFormat {
    private static let kept: Set<String> = ["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
    /// Flag in an extended header for the presence of XMP.
    private static let xmpFlag: UInt8 = 0x04
    /// Number of zero bytes written at a time.
    private static let zeroesAtOnce = 4_096

    /// Number of bytes of the file after those judged; nil before its beginning is judged.
    private var left: Int?
    /// Bytes that are to be replaced with zeros.
    private var zeroes = 0

    var shortest: Int { left == nil ? 12 : zeroes > 0 ? min(zeroes, Self.zeroesAtOnce) : 8 }
    var isAtEnd: Bool { zeroes == 0 && left == 0 }

    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step {
        if zeroes > 0 {
            zeroes -= header.count
            return .emit([UInt8](repeating: 0, count: header.count), then: .header)
        }
        guard let left else {
            let length = Int(header[4..<8].littleEndian)
            guard header.starts(with: "RIFF".utf8), header[8...].elementsEqual("WEBP".utf8), length >= 12 else {
                throw MalformedPicture(reason: "it does not begin like a WebP")
            }
            self.left = length - 4
            return .emit(header, then: .header)
        }
        let length = Int(header[4..<8].littleEndian)
        let behind = left - 8 - length - length % 2
        guard behind == 0 || behind >= 8 else {
            throw MalformedPicture(reason: "a chunk has an impossible length")
        }
        return chunk(String(decoding: header[..<4], as: UTF8.self), length + length % 2, behind, header)
    }

    /// - Parameters:
    ///   - length: bytes of the chunk, without its header and with its padding.
    ///   - behind: bytes of the file after it.
    private mutating func chunk(
        _ type: String, _ length: Int, _ behind: Int, _ header: [UInt8]
    ) -> PictureCleaner.Step {
        if type == "VP8X", length >= 10 {
            guard header.count >= 9 else { return .need(9) }
            left = behind
            var kept = header
            kept[8] &= ~Self.xmpFlag
            return .emit(kept, then: .copy(length - 1))
        }
        if type == "EXIF", length >= ExifOrientation.length {
            // The orientation is near the beginning.
            let seen = min(length, 65_536)
            guard header.count >= 8 + seen else { return .need(8 + seen) }
            left = behind
            zeroes = length - seen
            let tiff = header[8...].starts(with: "Exif\0\0".utf8) ? header[14...] : header[8...]
            let exif = ExifOrientation.encoded(ExifOrientation.find(in: tiff) ?? 1)
            return .emit(
                Array(header[..<8]) + exif + [UInt8](repeating: 0, count: seen - exif.count), then: .header)
        }
        left = behind
        if Self.kept.contains(type) { return .emit(header, then: .copy(length)) }
        zeroes = length
        return .emit(Array("JUNK".utf8) + header[4..<8], then: .header)
    }
}
