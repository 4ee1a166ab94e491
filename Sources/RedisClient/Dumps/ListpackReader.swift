/// Reads the members and scores of a sorted set from a listpack whose elements are integers.
package struct ListpackReader {
    @usableFromInline static let end: UInt8 = 0xFF
    /// The type of an integer of eight bytes, and the size of the element: type, value and length.
    @usableFromInline static let wide: (type: UInt8, bytes: Int) = (0xF4, 10)

    @usableFromInline var bytes: ByteReader

    /// Returns nil if `bytes` are too few for a listpack.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // Its size and the number of its elements.
        let header = 6
        guard bytes.count > header else { return nil }
        self.bytes = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[header...]))
    }

    /// The number of members, if their scores and they are wide.
    package var estimatedCount: Int { bytes.bytes.count / (2 * Self.wide.bytes) }

    /// True behind the last element, unless an element was no integer.
    package var isAtEnd: Bool { bytes.peek() == Self.end }

    /// Returns the next member and its score; nil at the end, or if they are no integers.
    @inlinable
    package mutating func next() -> (member: Int64, score: Int64)? {
        let (at, wide) = (bytes.at, Self.wide)
        let raw = bytes.bytes
        guard at + 2 * wide.bytes <= raw.count, raw[at] == wide.type, raw[at + wide.bytes] == wide.type else {
            return nextOfAnyWidth()
        }
        bytes.at = at + 2 * wide.bytes
        return (
            Int64(littleEndian: raw.loadUnaligned(fromByteOffset: at + 1, as: Int64.self)),
            Int64(littleEndian: raw.loadUnaligned(fromByteOffset: at + wide.bytes + 1, as: Int64.self))
        )
    }

    @usableFromInline
    mutating func nextOfAnyWidth() -> (member: Int64, score: Int64)? {
        if isAtEnd { return nil }
        guard let member = integer(), let score = integer() else {
            // Behind the end: nothing that follows is an element.
            bytes.at = bytes.bytes.count
            return nil
        }
        return (member, score)
    }

    /// Reads an integer with its length behind it; nil if the element is something else.
    private mutating func integer() -> Int64? {
        guard let first = bytes.next() else { return nil }
        let value: Int64
        switch first {
        case 0..<0x80: value = Int64(first)
        case 0xC0..<0xE0:
            guard let low = bytes.next() else { return nil }
            let bits = UInt16(first & 0x1F) << 8 | UInt16(low)
            value = Int64(Int16(bitPattern: bits << 3) >> 3)
        case 0xF1, 0xF2, 0xF3, 0xF4:
            let size = first == 0xF4 ? 8 : Int(first - 0xF1) + 2
            guard let data = bytes.take(size) else { return nil }
            let bits = data.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            value = Int64(bitPattern: bits << UInt64(64 - size * 8)) >> Int64(64 - size * 8)
        default: return nil
        }
        // The size of such an element fits one byte.
        return bytes.next() == nil ? nil : value
    }
}
