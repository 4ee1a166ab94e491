/// The orientation, the only EXIF entry that affects how a picture looks.
enum ExifOrientation {
    /// Length in bytes of the output of ``encoded(_:)``.
    static let length = 26

    /// Returns the orientation, 1 to 8, in TIFF-structured EXIF; nil if it names none, or cannot be read.
    static func find(in tiff: ArraySlice<UInt8>) -> UInt8? {
        let bytes = Array(tiff)
        guard bytes.count >= 8 else { return nil }
        let isBig = bytes.starts(with: [0x4D, 0x4D, 0, 42])
        guard isBig || bytes.starts(with: [0x49, 0x49, 42, 0]) else { return nil }
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start >= 0, start <= bytes.count - count else { return nil }
            let part = bytes[start..<start + count]
            return Int(isBig ? part.bigEndian : part.littleEndian)
        }
        guard let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard let value = number(entry + 8, 2), (1...8).contains(value) else { return nil }
            return UInt8(value)
        }
        return nil
    }

    /// Returns TIFF-structured EXIF with the orientation only.
    static func encoded(_ orientation: UInt8) -> [UInt8] {
        // A header, one entry, and the end of the list.
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
        ]
    }
}
