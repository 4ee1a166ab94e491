/// Redis' dump format of a sorted set that is stored as a listpack and has integers as members and scores. It is read
/// and restored in one piece, where adding the elements would cost Redis several times as much.
///
/// The format is RDB version 10 (`rdb.c` and `listpack.c` of Redis 7.0), which later versions read.
package enum SortedSetDump {
    private static let rdbVersion: UInt16 = 10
    private static let sortedSetListpack: UInt8 = 17
    /// Marks a length that follows as 32 bits, the most significant byte first.
    private static let length32: UInt8 = 0x80
    /// Marks a string that is compressed by ``LZF``.
    private static let compressed: UInt8 = 0xC3
    /// The size of the type and the length in front of a listpack.
    private static let headerBytes = 6
    /// The number of members that the header of a listpack does not count any more.
    package static let endOfMembers = Int(UInt16.max) / 2 + 1

    /// Returns a dump of the elements that `body` appends.
    ///
    /// - Parameters:
    ///   - count: their number, less than ``endOfMembers``.
    ///   - body: appends them by increasing score, as Redis ranks them.
    package static func write(_ count: Int, _ body: (inout ListpackWriter) -> Void) -> [UInt8] {
        precondition(count < endOfMembers, "a listpack counts fewer members")
        return [UInt8](unsafeUninitializedCapacity: count * ListpackWriter.longestElement + 64) { buffer, size in
            var bytes = ListpackWriter(UnsafeMutableRawBufferPointer(buffer))
            bytes.append(sortedSetListpack)
            bytes.append(length32)
            bytes.append(littleEndian: 0, count: 8)
            bytes.append(littleEndian: UInt64(count * 2), count: 2)
            body(&bytes)
            bytes.append(ListpackReader.end)
            let listpack = UInt32(bytes.count - headerBytes)
            bytes.store(listpack.bigEndian, at: headerBytes - 4)
            bytes.store(listpack.littleEndian, at: headerBytes)
            bytes.append(littleEndian: UInt64(rdbVersion), count: 2)
            bytes.append(littleEndian: CRC64.checksum(of: bytes.written), count: 8)
            size = bytes.count
        }
    }

    /// Passes a reader of the elements of a dump to `body`. Returns nil if `body` does, or if the dump has another
    /// form: a skiplist, or one of a later version.
    package static func read<R>(_ dump: UnsafeRawBufferPointer, _ body: (inout ListpackReader) -> R?) -> R? {
        var bytes = ByteReader(dump)
        guard bytes.next() == sortedSetListpack else { return nil }
        guard bytes.peek() == compressed else {
            return length(&bytes).flatMap { bytes.take($0) }.flatMap { read(listpack: $0, body) }
        }
        _ = bytes.next()
        guard let packed = length(&bytes), let size = length(&bytes), let data = bytes.take(packed) else { return nil }
        return LZF.decompress(data, size: size)?.withUnsafeBytes { read(listpack: $0, body) }
    }

    private static func read<R>(listpack: UnsafeRawBufferPointer, _ body: (inout ListpackReader) -> R?) -> R? {
        guard var reader = ListpackReader(listpack) else { return nil }
        return body(&reader)
    }

    /// Reads a length of 6, 14 or 32 bits.
    private static func length(_ bytes: inout ByteReader) -> Int? {
        guard let first = bytes.next() else { return nil }
        switch first >> 6 {
        case 0: return Int(first)
        case 1: return bytes.next().map { Int(first & 0x3F) << 8 | Int($0) }
        case 2 where first == length32: return bytes.take(4)?.reduce(0) { $0 << 8 | Int($1) }
        default: return nil
        }
    }
}
