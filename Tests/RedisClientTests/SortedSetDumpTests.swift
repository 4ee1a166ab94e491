import TestSupport
import Testing

@testable import RedisClient

/// Dumps without Redis. `WindowDumpTests` compares them with those of Redis itself.
@Suite(.timeLimit(.unit))
struct SortedSetDumpTests {
    private struct Element: Equatable {
        let member: Int64
        let score: Int64
    }

    private func dump(_ elements: [Element]) -> [UInt8] {
        SortedSetDump.write(elements.count) { writer in
            for element in elements { writer.append(member: element.member, score: element.score) }
        }
    }

    /// The elements of a dump; nil if it has another form.
    private func elements(of dump: [UInt8]) -> [Element]? {
        dump.withUnsafeBytes { bytes in
            SortedSetDump.read(bytes) { reader in
                var elements: [Element] = []
                while let (member, score) = reader.next() { elements.append(Element(member: member, score: score)) }
                return reader.isAtEnd ? elements : nil
            }
        }
    }

    private func sample(_ count: Int, _ random: inout SplitMix64) -> [Element] {
        func integer() -> Int64 { Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random) }
        return (0..<count).map { _ in Element(member: integer(), score: integer()) }
    }

    @Test
    func `integers of every width are read as they were written`() {
        var random = SplitMix64(seed: 17)
        for count in 0..<300 {
            let elements = sample(count, &random)
            #expect(self.elements(of: dump(elements)) == elements)
        }
    }

    @Test
    func `a listpack has fewer members than its header counts`() {
        let most = Array(repeating: Element(member: 1 << 40, score: -(1 << 40)), count: SortedSetDump.endOfMembers - 1)
        let dump = dump(most)
        #expect(dump[10] == 0xFE && dump[11] == 0xFF)
        #expect(elements(of: dump) == most)
    }

    @Test
    func `a dump that is cut has no elements`() {
        var random = SplitMix64(seed: 18)
        let whole = dump(sample(20, &random))
        // The version and the checksum are Redis' to verify.
        for size in 0..<whole.count - 10 { #expect(elements(of: Array(whole.prefix(size))) == nil) }
    }

    @Test
    func `whatever the bytes of a dump are, reading ends`() {
        var random = SplitMix64(seed: 19)
        let whole = dump(sample(20, &random))
        var understood = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            if elements(of: bytes) != nil { understood += 1 }
        }
        #expect(understood > 1_000 && understood < 20_000)
    }

    @Test
    func `a compressed dump is the same as the plain one`() {
        let plain = dump([Element(member: 1, score: -2), Element(member: 3, score: -4)])
        let listpack = Array(plain.dropFirst(6).dropLast(10))
        // A literal run for the whole listpack, behind both lengths of a byte each.
        let packed = [UInt8(listpack.count - 1)] + listpack
        #expect(listpack.count <= 32)
        let header = [plain[0], 0xC3, UInt8(packed.count), UInt8(listpack.count)]
        #expect(elements(of: header + packed) == [Element(member: 1, score: -2), Element(member: 3, score: -4)])
        #expect(elements(of: header + packed.dropLast()) == nil)
    }

    @Test(
        arguments: [
            ([2, 97, 98, 99], "abc"), ([0, 97, 0x20, 0], "aaaa"), ([1, 97, 98, 0xE0, 2, 1], "abababababab" + "a"),
            ([1, 97, 98, 0x20, 2], nil), ([1, 97], nil), ([0, 97, 0xE0], nil), ([0, 97, 0x20], nil), ([], ""),
        ] as [([UInt8], String?)])
    func `runs are literal or repeat what came before`(packed: [UInt8], text: String?) {
        let size = text?.utf8.count ?? 4
        let output = packed.withUnsafeBytes { LZF.decompress($0, size: size) }
        #expect(output == text.map { Array($0.utf8) })
        #expect(packed.withUnsafeBytes { LZF.decompress($0, size: size + 1) } == nil)
    }

    @Test
    func `the checksum is that of the catalogue, whatever is left after eights`() {
        let check = Array("123456789".utf8)
        #expect(check.withUnsafeBytes(CRC64.checksum) == 0xE9C6_D914_C4B8_D9CA)
        var random = SplitMix64(seed: 64)
        for length in 0..<40 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(bytes.withUnsafeBytes(CRC64.checksum) == Self.bitByBit(bytes))
        }
    }

    /// The checksum as its catalogue defines it: polynomial 0xAD93D23594C935A9, input and output reflected.
    private static func bitByBit(_ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0
        for byte in bytes {
            for bit in 0..<8 {
                let isSet = (sum >> 63) ^ UInt64(byte >> bit & 1) == 1
                sum = isSet ? sum << 1 ^ 0xAD93_D235_94C9_35A9 : sum << 1
            }
        }
        return (0..<64).reduce(0) { $0 | (sum >> $1 & 1) << (63 - $1) }
    }
}
