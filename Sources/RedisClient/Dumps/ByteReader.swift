/// Reads bytes from front to back.
@usableFromInline
struct ByteReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var at = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func next() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - at else { return nil }
        defer { at += count }
        return UnsafeRawBufferPointer(rebasing: bytes[at..<at + count])
    }
}
