/// One of the 16,384 hash slots by which Redis Cluster distributes keys.
package struct RedisSlot: Sendable, Hashable {
    package static let count = 16_384

    package let number: Int

    /// - Precondition: `number` is from 0 to 16,383.
    package init(_ number: Int) {
        precondition((0..<Self.count).contains(number), "a slot is from 0 to 16,383")
        self.number = number
    }

    /// The slot of a key: CRC16 of its hash tag, or of the whole key if it has none. The hash tag is the text between
    /// the first `{` and the next `}`, unless it is empty.
    package init(ofKey key: some Collection<UInt8>) {
        number = Int(Self.crc16(Self.hashed(key))) % Self.count
    }

    package init(ofKey key: String) { self.init(ofKey: Array(key.utf8)) }

    private static func hashed<Key: Collection<UInt8>>(_ key: Key) -> Key.SubSequence {
        guard let open = key.firstIndex(of: UInt8(ascii: "{")) else { return key[...] }
        let tagged = key[key.index(after: open)...]
        guard let close = tagged.firstIndex(of: UInt8(ascii: "}")), close > tagged.startIndex else { return key[...] }
        return tagged[..<close]
    }

    /// CRC-16/XMODEM: polynomial 1021 (hexadecimal), initial value 0, no reflection.
    static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(UInt8(sum >> 8) ^ byte)] }
    }

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
}
