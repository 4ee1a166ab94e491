/// GIF89a: a screen, then images and extensions, each a header and sub-blocks of up to 255 bytes, up to a trailer.
///
/// Keeps the images, their timing and repetition, and colour profiles. Drops comments, texts, XMP and other application
/// extensions.
struct GIFFormat: PictureFormat {
    private enum Place { case screen, block, blocks(isKept: Bool) }

    private var place = Place.screen

    var shortest: Int { if case .screen = place { 13 } else { 1 } }

    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step {
        switch place {
        case .screen:
            place = .block
            return .emit(header, then: .copy(Self.colours(header[10])))
        case .block: return try block(header)
        case .blocks(let isKept):
            let length = Int(header[0])
            if length == 0 { place = .block }
            return .emit(isKept ? header : [], then: isKept ? .copy(length) : .drop(length))
        }
    }

    private mutating func block(_ header: [UInt8]) throws -> PictureCleaner.Step {
        switch header[0] {
        case 0x3B: return .emit(header, then: .end)
        case 0x2C:
            guard header.count >= 10 else { return .need(10) }
            place = .blocks(isKept: true)
            // The colours of the image, and the start of its codes.
            return .emit(header, then: .copy(Self.colours(header[9]) + 1))
        case 0x21:
            guard header.count >= 2 else { return .need(2) }
            guard header[1] == 0xFF else {
                let isKept = header[1] == 0xF9
                place = .blocks(isKept: isKept)
                return .emit(isKept ? header : [], then: .header)
            }
            guard header.count >= 14 else { return .need(14) }
            guard header[2] == 11 else { throw MalformedPicture(reason: "an extension has an impossible length") }
            let name = String(decoding: header[3..<14], as: UTF8.self)
            let isKept = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"].contains(name)
            place = .blocks(isKept: isKept)
            return .emit(isKept ? header : [], then: .header)
        default: throw MalformedPicture(reason: "a block begins with an unknown byte")
        }
    }

    /// Bytes of the colour table that the flags announce.
    private static func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
