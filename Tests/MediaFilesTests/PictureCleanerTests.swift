import NIOCore
import TestSupport
import Testing

@testable import GraphServices
@testable import MediaFiles

@Suite(.timeLimit(.unit))
struct PictureCleanerTests {
    /// Cleans a file that arrives in pieces of `size` bytes.
    private func cleaned(_ type: MediaType, _ bytes: [UInt8], pieces size: Int = .max) throws -> [UInt8] {
        var cleaner = try #require(PictureCleaner(type))
        var kept: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
            let piece = bytes[start..<min(bytes.count, start + min(size, bytes.count))]
            kept += try cleaner.clean(ByteBuffer(bytes: piece)).readableBytesView
        }
        try cleaner.finish()
        return kept
    }

    @Test func `what is beside the pixels is removed however the pieces are cut`() throws {
        for (type, dirty, clean) in SamplePicture.all() {
            #expect(MediaType(leadingBytes: dirty) == type)
            #expect(dirty.firstRange(of: SamplePicture.canary) != nil)
            for size in [1, 2, 3, 5, 7, 16, 61, dirty.count] {
                #expect(try cleaned(type, dirty, pieces: size) == clean, "\(type) in pieces of \(size)")
            }
            // A clean file stays as it is.
            #expect(try cleaned(type, clean) == clean, "\(type)")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func `a picture stays the right way up`(_ orientation: UInt8) throws {
        let jpeg = try cleaned(.jpeg, SamplePicture.jpeg(metadata: true, orientation: orientation))
        #expect(jpeg == SamplePicture.jpeg(metadata: false, orientation: orientation))
        let webP = try cleaned(.webP, SamplePicture.webP(metadata: true, orientation: orientation))
        let exif = try #require(webP.firstRange(of: Array("EXIF".utf8)))
        #expect(ExifOrientation.find(in: webP[(exif.upperBound + 4)...]) == orientation)
    }

    @Test func `what is cut off is refused`() throws {
        for (type, _, clean) in SamplePicture.all() {
            for count in 1..<clean.count {
                #expect(throws: MalformedPicture.self, "\(type), \(count)") {
                    _ = try cleaned(type, Array(clean.prefix(count)))
                }
            }
        }
    }

    private static let misbuilt: [(MediaType, [UInt8])] = [
        (.jpeg, [0xFF, 0xD8, 0x00]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xE1, 0, 1]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xD8]),
        (.png, begun(.png, 8, [0x80, 0, 0, 0, 1, 1, 1, 1])), (.png, begun(.png, 8, [0, 0, 0, 1], "IDAT")),
        (.gif, begun(.gif, 19, [0x22])), (.gif, begun(.gif, 19, [0x21, 0xFF, 12], "AAAAAAAAAAAA")),
        (.webP, begun(.webP, 12, [], "VP8 ") + SamplePicture.big(0x7FFF_FFFF, 4)),
        (.heic, begun(.heic, 24, [0, 0, 0, 8], "mdat")), (.heic, begun(.heic, 0, [0, 0, 0, 4], "ftypheic")),
        (.heic, begun(.heic, 0, [0xFF, 0, 0, 0], "meta")),
    ]

    /// The beginning of a sample, followed by other bytes.
    private static func begun(_ type: MediaType, _ count: Int, _ rest: [UInt8], _ text: String = "") -> [UInt8] {
        let sample = SamplePicture.all().first { $0.type == type }?.clean ?? []
        return Array(sample.prefix(count)) + rest + Array(text.utf8)
    }

    @Test(arguments: misbuilt)
    func `what is not built as its kind is refused`(_ type: MediaType, _ bytes: [UInt8]) {
        #expect(throws: MalformedPicture.self) { _ = try cleaned(type, bytes) }
    }

    /// A beginning, a small part that may be repeated, and the end.
    private static let crowded: [(MediaType, [UInt8], [UInt8], [UInt8])] = [
        (.jpeg, begun(.jpeg, 2, []), [0xFF, 0x01], [0xFF, 0xD9]), (.jpeg, begun(.jpeg, 2, []), [0xFF], [0xFF, 0xD9]),
        (.gif, begun(.gif, 19, []), [0x21, 0xFE, 0], [0x3B]),
    ]

    @Test(arguments: crowded)
    func `a picture with too many parts is refused`(
        _ type: MediaType, _ start: [UInt8], _ part: [UInt8], _ end: [UInt8]
    ) throws {
        func picture(parts: Int) -> [UInt8] { start + Array(repeatElement(part, count: parts).joined()) + end }
        _ = try cleaned(type, picture(parts: 1_000))
        let malformed = #expect(throws: MalformedPicture.self) {
            _ = try cleaned(type, picture(parts: PictureCleaner.partLimit))
        }
        #expect(malformed?.reason == "it has too many parts")
    }

    /// Broken files are refused or cleaned, and never grow.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a broken file is refused or cleaned`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for (type, dirty, _) in SamplePicture.all() {
            for _ in 0..<50 {
                var bytes = dirty
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 5))
                    default: bytes.insert(contentsOf: [0xFF, 0, 0xFF], at: place)
                    }
                }
                let size = Int.random(in: 1...bytes.count, using: &random)
                do {
                    #expect(try cleaned(type, bytes, pieces: size).count <= bytes.count + 12)
                } catch is MalformedPicture {}
            }
        }
    }

    @Test func `videos are left alone`() {
        for type in MediaType.allCases where type.kind == .video { #expect(PictureCleaner(type) == nil) }
        for type in MediaType.allCases where type.kind == .picture { #expect(PictureCleaner(type) != nil) }
    }
}
