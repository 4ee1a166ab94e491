import Database
import SocialGraph

/// Encodes a whole window in Redis' dump format for a sorted set stored as a listpack, to be restored in one piece.
/// Adding the entries costs Redis several times as much.
///
/// The format is RDB version 10 (`rdb.c` and `listpack.c` of Redis 7.0), which later versions read.
enum WindowDump {
    private static let rdbVersion: UInt16 = 10
    private static let sortedSetListpack: UInt8 = 17
    /// Marks a length that follows as 32 bits, the most significant byte first.
    private static let length32: UInt8 = 0x80
    private static let listpackEnd: UInt8 = 0xFF
    /// The size of the type and the length in front of a listpack.
    private static let headerBytes = 6

    /// Returns nil if there are more entries than a listpack counts in its header, or if they are not in the order of
    /// Redis.
    ///
    /// - Parameters:
    ///   - entries: newest first, each post once.
    ///   - isComplete: whether the sentinel, member 0 of score 0, follows them.
    static func dump(of entries: [FeedEntry], isComplete: Bool) -> [UInt8]? {
        let elements = entries.count * 2 + (isComplete ? 2 : 0)
        let areInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.position > $1.position }
        guard elements < UInt16.max, areInOrder else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements * 10 + 32)
        bytes += [sortedSetListpack, length32, 0, 0, 0, 0]
        bytes += [0, 0, 0, 0]
        bytes.append(littleEndian: UInt64(elements), count: 2)
        for entry in entries {
            bytes.append(listpackElement: entry.post.rawValue)
            bytes.append(listpackElement: -entry.position.rawValue)
        }
        if isComplete {
            bytes.append(listpackElement: 0)
            bytes.append(listpackElement: 0)
        }
        bytes.append(listpackEnd)
        let size = UInt32(bytes.count - headerBytes)
        for place in 0..<4 {
            let byte = UInt8(truncatingIfNeeded: size >> (place * 8))
            bytes[headerBytes - 1 - place] = byte
            bytes[headerBytes + place] = byte
        }
        bytes.append(littleEndian: UInt64(rdbVersion), count: 2)
        bytes.append(littleEndian: bytes.withUnsafeBytes(CRC64.checksum), count: 8)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: UInt64, count: Int) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0.prefix(count)) }
    }

    /// Appends an integer and the length of its encoding in bytes.
    fileprivate mutating func append(listpackElement value: Int64) {
        let bits = UInt64(bitPattern: value)
        switch value {
        case 0..<128:
            append(UInt8(value))
            append(1)
        case -4_096..<4_096:
            append(0xC0 | UInt8(truncatingIfNeeded: bits >> 8 & 0x1F))
            append(UInt8(truncatingIfNeeded: bits))
            append(2)
        default:
            let (type, size): (UInt8, Int) =
                switch value {
                case -0x8000..<0x8000: (0xF1, 2)
                case -0x80_0000..<0x80_0000: (0xF2, 3)
                case -0x8000_0000..<0x8000_0000: (0xF3, 4)
                default: (0xF4, 8)
                }
            append(type)
            append(littleEndian: bits, count: size)
            append(UInt8(size + 1))
        }
    }
}
