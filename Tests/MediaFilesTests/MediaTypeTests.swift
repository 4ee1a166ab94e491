import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.unit))
struct MediaTypeTests {
    private static func box(_ brand: String, _ compatible: [String] = []) -> [UInt8] {
        let text = "ftyp\(brand)\0\0\u{2}\0" + compatible.joined()
        return [0, 0, 0, UInt8(text.utf8.count + 4)] + text.utf8 + [UInt8](repeating: 7, count: 20)
    }

    /// An EBML header as muxers write it: version, read version, longest id and size, document type.
    private static func matroska(_ documentType: String) -> [UInt8] {
        [
            0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 0x01, 0x42, 0xF7, 0x81, 0x01, 0x42, 0xF2, 0x81, 0x04, 0x42,
            0xF3,
        ]
            + [0x81, 0x08, 0x42, 0x82, 0x80 | UInt8(documentType.utf8.count)] + documentType.utf8 + [0x42, 0x87]
    }

    private static let table: [(bytes: [UInt8], type: MediaType?)] = [
        (box("isom", ["isom", "iso2", "avc1", "mp41"]), .mp4), (box("mp42"), .mp4), (box("avc1"), .mp4),
        (box("dash", ["iso6"]), .mp4), (box("XXXX", ["mp41"]), .mp4), (box("3gp5"), .mp4),
        (box("M4V ", ["mp42", "isom"]), .appleVideo), (box("qt  "), .quickTime), (box("heic", ["mif1"]), .heic),
        (box("mif1", ["mif1", "heic"]), .heic), (box("mif1", ["avif", "miaf"]), .avif), (box("avif"), .avif),
        (box("avis"), .avif), (matroska("webm"), .webM), (matroska("matroska"), .matroska),
        (SampleFile.jpeg(), .jpeg), (SampleFile.png(), .png), (Array("GIF89a....".utf8), .gif),
        (Array("GIF87a....".utf8), .gif), (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webP),

        (box("M4A ", ["isom", "mp42"]), nil), (box("XXXX", ["YYYY"]), nil), (box("mif1"), nil),
        ([0, 0, 0, 8] + "ftypisom".utf8, nil), (matroska("other"), nil), ([0x1A, 0x45, 0xDF, 0xA3], nil), ([], nil),
        (Array("RIFF\0\0\0\0WAVEfmt ".utf8), nil), (Array("<html><script>".utf8), nil), (Array("%PDF-1.7".utf8), nil),
        (Array("<?xml version=\"1.0\"?><svg".utf8), nil), (Array("#EXTM3U\nhttp://a".utf8), nil), ([0xFF, 0xD8], nil),
        (Array("MZ".utf8), nil), (Array("\u{7F}ELF".utf8), nil), (Array("ID3".utf8), nil), (Array("GIF88a".utf8), nil),
        (Array("OggS".utf8), nil), ([0] + SampleFile.jpeg(), nil),
    ]

    @Test func `the leading bytes decide`() {
        for (index, row) in Self.table.enumerated() {
            #expect(MediaType(leadingBytes: row.bytes) == row.type, "row \(index)")
        }
        #expect(Set(Self.table.compactMap(\.type)) == Set(MediaType.allCases))
    }

    /// Every prefix has a type: that of the whole file once the deciding bytes are there.
    @Test func `every prefix is judged`() {
        for row in Self.table {
            for count in 0...row.bytes.count {
                let type = MediaType(leadingBytes: row.bytes.prefix(count))
                #expect(type == nil || row.type != nil)
            }
        }
    }

    @Test func `every type has a name of its own`() {
        #expect(Set(MediaType.allCases.map(\.fileExtension)).count == MediaType.allCases.count)
        for type in MediaType.allCases {
            #expect(type.contentType.hasPrefix(type.kind == .video ? "video/" : "image/"))
        }
    }
}
