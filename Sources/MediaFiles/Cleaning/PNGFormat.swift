/// ISO/IEC 15948: a signature, then chunks: length, type, data, check sum.
///
/// Keeps the pixels, the interpretation of their colours, and animation. Drops all other chunks: EXIF, texts, times,
/// and chunks that programs add.
struct PNGFormat: PictureFormat {
    private enum Place { case signature, header, chunks }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs",
        "hIST", "acTL", "fcTL", "fdAT",
    ]

    private var place = Place.signature

    let shortest = 8

    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step {
        if place == .signature {
            guard header == Self.signature else {
                throw MalformedPicture(reason: "it does not begin like a PNG")
            }
            place = .header
            return .emit(header, then: .header)
        }
        let length = header[..<4].bigEndian
        guard length < 1 << 31 else { throw MalformedPicture(reason: "a chunk has an impossible length") }
        let type = String(decoding: header[4..<8], as: UTF8.self)
        if place == .header {
            guard type == "IHDR", length == 13 else { throw MalformedPicture(reason: "its first chunk is not IHDR") }
            place = .chunks
        }
        if type == "IEND" {
            guard header.count >= 12 else { return .need(12) }
            // An empty chunk with its check sum.
            return .emit([0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82], then: .end)
        }
        let rest = Int(length) + 4
        return Self.kept.contains(type) ? .emit(header, then: .copy(rest)) : .emit([], then: .drop(rest))
    }
}
