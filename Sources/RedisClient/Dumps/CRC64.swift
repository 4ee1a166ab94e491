/// The checksum of Redis dumps: CRC-64 with the polynomial of David T. Jones, reflected input and output, initial value
/// 0. Processes eight bytes at a time, as in "slicing-by-8" (Kounavis & Berry, 2005).
package enum CRC64 {
    /// `tables[k][b]` is the contribution of the byte `b`, `k` bytes before the end of eight.
    private static let tables: [UInt64] = {
        // 0xAD93D23594C935A9 with its bits in reverse order.
        let polynomial: UInt64 = 0x95AC_9329_AC4B_C9B5
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt64(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
        }
        for place in 256..<8 * 256 {
            let before = tables[place - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        tables.withUnsafeBufferPointer { tables in
            var sum: UInt64 = 0
            var next = 0
            while next + 8 <= bytes.count {
                sum ^= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
                var folded: UInt64 = 0
                for place in 0..<8 {
                    folded ^= tables[(7 - place) * 256 + Int(sum >> UInt64(place * 8) & 0xFF)]
                }
                sum = folded
                next += 8
            }
            for byte in bytes[next...] { sum = sum >> 8 ^ tables[Int((sum ^ UInt64(byte)) & 0xFF)] }
            return sum
        }
    }
}
