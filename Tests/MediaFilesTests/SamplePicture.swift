@testable import GraphServices
@testable import MediaFiles

/// Small pictures of each kind, with places and names in their metadata.
enum SamplePicture {
    /// A text that stands wherever cameras write metadata.
    static let canary = Array("GPS 52.5200 N by Ada".utf8)

    static func all() -> [(type: MediaType, dirty: [UInt8], clean: [UInt8])] {
        [
            (.jpeg, jpeg(metadata: true), jpeg(metadata: false)), (.png, png(metadata: true), png(metadata: false)),
            (.gif, gif(metadata: true), gif(metadata: false)), (.webP, webP(metadata: true), webP(metadata: false)),
            (.heic, heif(brand: "heic", metadata: true), heif(brand: "heic", metadata: false)),
            (.avif, heif(brand: "avif", metadata: true), heif(brand: "avif", metadata: false)),
        ]
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// TIFF-structured EXIF, least significant byte first, with an orientation and the canary.
    static func exif(_ orientation: UInt8) -> [UInt8] {
        var tiff: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
        tiff += [0x0F, 0x01, 2, 0, 20, 0, 0, 0, 38, 0, 0, 0]
        tiff += [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        return tiff + canary
    }

    static func jpeg(metadata: Bool, orientation: UInt8 = 6) -> [UInt8] {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, marker] + big(payload.count + 2, 2) + payload
        }
        func named(_ name: String, _ payload: [UInt8]) -> [UInt8] { Array(name.utf8) + payload }
        let upright = orientation == 1 ? [] : segment(0xE1, named("Exif\0\0", ExifOrientation.encoded(orientation)))
        var file: [UInt8] = [0xFF, 0xD8] + segment(0xE0, named("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]))
        if metadata {
            file += segment(0xE0, named("JFXX\0", canary))
            file += segment(0xE1, named("Exif\0\0", exif(orientation)))
            file += segment(0xE1, named("http://ns.adobe.com/xap/1.0/\0", canary))
            file += segment(0xE2, named("MPF\0", canary)) + segment(0xED, named("Photoshop 3.0\0", canary))
            file += segment(0xFE, canary)
        } else {
            file += upright
        }
        file += segment(0xE2, named("ICC_PROFILE\0", [1, 1, 9, 9]))
        file += segment(0xEE, named("Adobe", [0, 100, 0, 0, 0, 0, 1]))
        file += segment(0xDB, [UInt8](repeating: 1, count: 65))
        // A fill byte before a marker.
        file.append(0xFF)
        file += segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
        for pass in 0..<2 as Range<UInt8> {
            file += segment(0xC4, [pass] + [UInt8](repeating: 0, count: 16)) + segment(0xDA, [1, 1, 0, 0, 0, pass])
            file += [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xFF, 0, 5]
        }
        // The first of a doubled 0xFF is a fill byte.
        if !metadata { file = without(fill: file) }
        file += [0xFF, 0xD9]
        return file + (metadata ? canary : [])
    }

    private static func without(fill file: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        for byte in file where byte != 0xFF || kept.last != 0xFF { kept.append(byte) }
        return kept
    }

    static func png(metadata: Bool) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            big(data.count, 4) + Array(type.utf8) + data + big(0x0102_0304, 4)
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]) + chunk("gAMA", [0, 0, 177, 143])
        if metadata {
            for type in ["eXIf", "tEXt", "zTXt", "iTXt", "tIME", "caBX", "prVt"] { file += chunk(type, canary) }
        }
        file += chunk("IDAT", [1, 2, 3]) + chunk("IDAT", [])
        if metadata { file += chunk("tEXt", canary) }
        file += [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        return file + (metadata ? canary : [])
    }

    static func gif(metadata: Bool) -> [UInt8] {
        func blocks(_ data: [UInt8]) -> [UInt8] { [UInt8(data.count)] + data + [0] }
        var file = Array("GIF89a".utf8)
        file += [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        file += [0x21, 0xFF, 11]
        file += Array("NETSCAPE2.0".utf8) + blocks([1, 0, 0])
        if metadata {
            file += [0x21, 0xFE] + blocks(canary)
            file += [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + blocks(canary)
            file += [0x21, 0x01] + blocks([UInt8](repeating: 0, count: 12) + canary)
        }
        file += [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        file += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 9, 9, 9, 2]
        file += blocks([0x44, 1])
        file.append(0x3B)
        return file + (metadata ? canary : [])
    }

    static func webP(metadata: Bool, orientation: UInt8 = 6) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 0 ? [] : [0])
        }
        let flags: UInt8 = metadata ? 0x2C : 0x28
        var chunks = chunk("VP8X", [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        chunks += chunk("ICCP", [1, 2, 3]) + chunk("VP8 ", [5, 6, 7])
        let exif = exif(orientation)
        let cleaned = ExifOrientation.encoded(orientation)
        let nothing = [UInt8](repeating: 0, count: canary.count)
        chunks += chunk(
            "EXIF", metadata ? exif : cleaned + [UInt8](repeating: 0, count: exif.count - cleaned.count))
        for type in ["XMP ", "note"] { chunks += chunk(metadata ? type : "JUNK", metadata ? canary : nothing) }
        let head = Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8)
        return head + chunks + (metadata ? canary : [])
    }

    static func heif(brand: String, metadata: Bool) -> [UInt8] {
        func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
            big(contents.count + 8, 4) + Array(type.utf8) + contents
        }
        func info(_ id: Int, _ type: String) -> [UInt8] {
            box("infe", big(0x0200_0000, 4) + big(id, 2) + big(0, 2) + Array(type.utf8) + big(0, 1))
        }
        let exif = big(0, 4) + Self.exif(6)
        var emptied: [UInt8] = [0, 0, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        emptied += [UInt8](repeating: 0, count: exif.count - 12)
        let nothing = [UInt8](repeating: 0, count: canary.count)
        let type = box("ftyp", Array("\(brand)\0\0\0\0mif1\(brand)".utf8))
        let entries = info(1, "hvc1") + info(2, "Exif") + info(3, "mime") + info(4, "mime")
        let infos = box("iinf", big(4, 6) + entries)
        func meta(_ pixels: Int) -> [UInt8] {
            // Pixels, EXIF and XMP are in the file, another text is in the box itself.
            let places = [
                (1, 0, pixels, 10), (2, 0, pixels + 10, exif.count), (3, 0, pixels + 10 + exif.count, canary.count),
                (4, 1, 0, canary.count),
            ]
            var items: [UInt8] = [1, 0, 0, 0, 0x44, 0x00, 0, 4]
            for (id, method, start, length) in places {
                items += big(id, 2) + big(method, 2) + big(1, 4) + big(start, 4) + big(length, 4)
            }
            let data = box("idat", metadata ? canary : nothing)
            return box("meta", big(0, 4) + infos + box("iloc", items) + box("iprp", [7, 7]) + data)
        }
        let unknown = metadata ? box("uuid", canary) : box("free", nothing)
        let start = type.count + meta(0).count + unknown.count + 8
        let pixels = (1...10).map { UInt8($0) }
        let attached = metadata ? exif + canary : emptied + nothing
        return type + meta(start) + unknown + box("mdat", pixels + attached + big(0x0909, 2))
    }
}
