/// ISO/IEC 23008-12: boxes. Items are located by their position in the file, so nothing is taken out: EXIF is replaced
/// with an empty one, XMP and other attached texts with zeros, in as many bytes. The rotation of a picture is in its
/// properties, which stay.
///
/// Refuses a file whose pixels come before the box that describes them. Cameras write that box first.
struct HEIFFormat: PictureFormat {
    /// Number of bytes replaced at a time.
    private static let atOnce = 4_096

    /// The position of the next header in the file.
    private var position = 0
    /// Number of remaining bytes of the pixel box; `Int.max` if it extends to the end of the file.
    private var pixels = 0
    /// Bytes of a box that are to be replaced with zeros.
    private var zeroes = 0
    /// Extents to replace in the pixels, in order of position.
    private var extents: ArraySlice<HEIFItems.Extent> = []
    private var hasItems = false

    var shortest: Int {
        if zeroes > 0 { return min(zeroes, Self.atOnce) }
        guard pixels > 0 else { return 8 }
        guard let next = extents.first, next.start == position else { return 1 }
        return min(next.length, Self.atOnce)
    }

    var mayEnd: Bool { hasItems && pixels == 0 && zeroes == 0 && extents.isEmpty }

    mutating func next(_ header: [UInt8]) throws -> PictureCleaner.Step {
        if zeroes > 0 {
            zeroes -= header.count
            position += header.count
            return .emit([UInt8](repeating: 0, count: header.count), then: .header)
        }
        if pixels > 0 { return try nextPixels(header) }
        guard let box = try HEIFBox(header) else { return .need(16) }
        switch box.type {
        case "meta":
            guard header.count >= box.length else { return .need(box.length) }
            return try .emit(described(header, box), then: .header)
        case "mdat":
            guard hasItems else { throw MalformedPicture(reason: "its pixels come before their description") }
            guard header.count >= box.contents else { return .need(box.contents) }
            position += box.contents
            pixels = box.length == .max ? .max : box.length - box.contents
            return .emit(header, then: .header)
        case "uuid", "free", "skip", "udta":
            guard box.length < .max else { throw MalformedPicture(reason: "a box has no length") }
            position += header.count
            zeroes = box.length - header.count
            return .emit(Array(header[..<4]) + Array("free".utf8) + header[8...], then: .header)
        default:
            guard box.length < .max else { throw MalformedPicture(reason: "a box has no length") }
            position += box.length
            return .emit(header, then: .copy(box.length - header.count))
        }
    }

    /// Returns the box that describes the items, without the attachments of the picture inside it.
    private mutating func described(_ header: [UInt8], _ box: HEIFBox) throws -> [UInt8] {
        let items = try HEIFItems(header[box.contents..<box.length])
        var bytes = header
        for extent in items.inside {
            let start = box.contents + extent.start
            guard start <= box.length - extent.length else { throw HEIFItems.impossible }
            bytes.replaceSubrange(start..<start + extent.length, with: extent.replacement(0..<extent.length))
        }
        position += box.length
        extents = items.outside[...]
        guard !hasItems, extents.first.map({ $0.start >= position }) ?? true else { throw HEIFItems.impossible }
        hasItems = true
        return bytes
    }

    private mutating func nextPixels(_ header: [UInt8]) throws -> PictureCleaner.Step {
        let count = header.count
        guard var extent = extents.first else {
            let isOpen = pixels == .max
            position = isOpen ? position : position + pixels
            let rest = pixels - count
            pixels = 0
            return .emit(header, then: isOpen ? .rest : .copy(rest))
        }
        guard extent.start == position else {
            let gap = min(extent.start - position, pixels)
            // An item outside the pixels of this box.
            guard gap > 0 else { throw HEIFItems.impossible }
            spend(gap)
            return .emit(header, then: .copy(gap - count))
        }
        guard pixels >= extent.length else { throw HEIFItems.impossible }
        let replacement = extent.replacement(extent.done..<extent.done + count)
        extent.done += count
        extent.start += count
        extent.length -= count
        extents[extents.startIndex] = extent
        if extent.length == 0 { extents.removeFirst() }
        spend(count)
        return .emit(replacement, then: .header)
    }

    private mutating func spend(_ count: Int) {
        position += count
        if pixels != .max { pixels -= count }
    }
}
