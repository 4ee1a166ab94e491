/// FNV-1a (Fowler, Noll and Vo), 64 bits. Every process computes the same value for the same text. Not for secrets.
struct Fingerprint: Sendable, Equatable {
    let value: UInt64

    init(of text: String) {
        value = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
