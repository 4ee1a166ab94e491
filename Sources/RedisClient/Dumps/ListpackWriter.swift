/// Writes the members and scores of a sorted set as a listpack.
package struct ListpackWriter {
    /// The size of a member and its score, of eight bytes each.
    static let longestElement = 20

    @usableFromInline let bytes: UnsafeMutableRawBufferPointer
    @usableFromInline var count = 0

    /// - Parameter bytes: Memory with room for eight bytes more than will be written.
    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<count]) }

    mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Appends the `size` lower bytes of a value.
    @inlinable
    mutating func append(littleEndian value: UInt64, count size: Int) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
        count += size
    }

    func store(_ value: UInt32, at offset: Int) {
        bytes.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
    }

    /// Appends a member and its score, usually both of eight bytes.
    @inlinable
    package mutating func append(member: Int64, score: Int64) {
        guard member > 1 << 31, score < -(1 << 31) else {
            append(element: member)
            append(element: score)
            return
        }
        // Twice the type, eight bytes, and their length with the type: stored as 8, 8 and 4 bytes.
        let (type, size): (UInt64, UInt64) = (0xF4, 9)
        let (member, score) = (UInt64(bitPattern: member), UInt64(bitPattern: score))
        append(littleEndian: type | member << 8, count: 8)
        append(littleEndian: member >> 56 | size << 8 | type << 16 | score << 24, count: 8)
        append(littleEndian: score >> 40 | size << 24, count: 4)
    }

    /// Appends an integer and the length of its encoding in bytes.
    @usableFromInline
    mutating func append(element value: Int64) {
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
