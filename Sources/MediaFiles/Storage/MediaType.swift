/// A kind of file that is accepted. It is determined by the leading bytes only. Names and types from clients are
/// ignored, so that no file is served under a wrong type.
package enum MediaType: String, CaseIterable, Sendable {
    case mp4 = "video/mp4"
    case appleVideo = "video/x-m4v"
    case quickTime = "video/quicktime"
    case webM = "video/webm"
    case matroska = "video/x-matroska"
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webP = "image/webp"
    case heic = "image/heic"
    case avif = "image/avif"

    package enum Kind: Sendable { case video, picture }

    package var kind: Kind {
        switch self {
        case .mp4, .appleVideo, .quickTime, .webM, .matroska: .video
        case .jpeg, .png, .gif, .webP, .heic, .avif: .picture
        }
    }

    package var contentType: String { rawValue }

    /// The type of a stored file.
    package init?(contentType: String) { self.init(rawValue: contentType) }

    /// The extension of stored files, without the dot.
    var fileExtension: String {
        switch self {
        case .mp4: "mp4"
        case .appleVideo: "m4v"
        case .quickTime: "mov"
        case .webM: "webm"
        case .matroska: "mkv"
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webP: "webp"
        case .heic: "heic"
        case .avif: "avif"
        }
    }

    /// The accepted types, for the error message of a refusal.
    package static let expected =
        "an MP4, M4V, QuickTime, WebM or Matroska video, or a JPEG, PNG, GIF, WebP, HEIC or AVIF picture"
    static let expectedPicture = "a JPEG, PNG, GIF, WebP, HEIC or AVIF picture"

    /// Number of leading bytes that suffice for any decision.
    static let leadingBytes = 64

    /// Determines the type; nil if the kind is not accepted, or the bytes are too few to tell.
    package init?(leadingBytes bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.leadingBytes))
        let signatures: [(MediaType, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF]), (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a".utf8)),
        ]
        if let match = signatures.first(where: { head.starts(with: $0.1) }) {
            self = match.0
        } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
        } else if let type = Self.isoFile(head) ?? Self.matroskaFile(head) {
            self = type
        } else {
            return nil
        }
    }

    /// ISO/IEC 14496-12 §4.3: a box `ftyp` of a major brand, its version, and compatible brands, four characters each.
    private static func isoFile(_ head: [UInt8]) -> MediaType? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 12 else { return nil }
        let end = min(size, head.count)
        let starts = [8] + stride(from: 16, to: end - 3, by: 4)
        let brands = starts.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
        // An audio file names the brands of videos as well.
        if brands[0] == "M4A " || brands[0] == "M4B " { return nil }
        // The major brand first; a file with a general one ("mif1") names its type in the others.
        return brands.lazy.compactMap(type(ofBrand:)).first
    }

    private static func type(ofBrand brand: String) -> MediaType? {
        switch brand {
        case "qt  ": .quickTime
        case "M4V ", "M4VH", "M4VP": .appleVideo
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
        case "avif", "avis": .avif
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mp71", "avc1",
            "dash", "MSNV", "3gp4", "3gp5", "3gp6", "3g2a", "f4v ":
            .mp4
        default: nil
        }
    }

    /// RFC 8794 and 9559: an EBML header whose document type (element 0x4282) is `webm` or `matroska`.
    private static func matroskaFile(_ head: [UInt8]) -> MediaType? {
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        let element: [UInt8] = [0x42, 0x82]
        guard let index = head.indices.first(where: { head[$0...].starts(with: element) }) else { return nil }
        // Its length is one byte with the top bit set.
        let rest = head[(index + element.count)...]
        if rest.starts(with: [0x84] + Array("webm".utf8)) { return .webM }
        if rest.starts(with: [0x88] + Array("matroska".utf8)) { return .matroska }
        return nil
    }
}
