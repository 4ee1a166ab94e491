import CPQ

/// A value of a result, decoded by the type of its column.
enum ServerValue {
    case integer(Int64)
    case real(Double)
    /// Text, or a type that is read as text.
    case bytes(UnsafeRawBufferPointer)

    /// - Parameter bytes: the binary format of a value of `type`. It must have the length of its type.
    init(_ bytes: UnsafeRawBufferPointer, type: Oid) {
        switch type {
        case ServerType.bool: self = .integer(bytes.first == 0 ? 0 : 1)
        case ServerType.int2: self = .integer(Int64(Int16(truncatingIfNeeded: Self.bigEndian(bytes))))
        case ServerType.int4: self = .integer(Int64(Int32(truncatingIfNeeded: Self.bigEndian(bytes))))
        case ServerType.int8: self = .integer(Int64(bitPattern: Self.bigEndian(bytes)))
        case ServerType.float4:
            self = .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.bigEndian(bytes)))))
        case ServerType.float8: self = .real(Double(bitPattern: Self.bigEndian(bytes)))
        case ServerType.numeric: self = Self.numeric(bytes)
        default: self = .bytes(bytes)
        }
    }

    private static func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A sum of integers is a numeric: a sign and digits to the base 10,000, the first of which counts
    /// 10,000^`weight`. It is an integer here if it is one and fits into 64 bits.
    private static func numeric(_ bytes: UnsafeRawBufferPointer) -> ServerValue {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bigEndian(bytes[$0..<$0 + 2])) }
        guard words.count >= 4 else { return .real(.nan) }
        let (weight, sign, digits) = (Int(Int16(bitPattern: words[1])), words[2], words[4...])
        guard sign == 0 || sign == 0x4000 else { return .real(.nan) }
        let factor: Int64 = sign == 0 ? 1 : -1
        if digits.count <= weight + 1, let whole = integer(digits, places: weight + 1) {
            return .integer(factor * whole)
        }
        // The decimal text, which is rounded correctly.
        let text = digits.map { String(10_000 + Int($0)).dropFirst() }.joined()
        let value = Double(text + "e\((weight + 1 - digits.count) * 4)") ?? .nan
        return .real(Double(factor) * value)
    }

    private static func integer(_ digits: ArraySlice<UInt16>, places: Int) -> Int64? {
        var value: Int64 = 0
        for place in 0..<max(places, 0) {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10_000)
            let digit = place < digits.count ? Int64(digits[digits.startIndex + place]) : 0
            let (sum, isTooLargeAsSum) = product.addingReportingOverflow(digit)
            if isTooLarge || isTooLargeAsSum { return nil }
            value = sum
        }
        return value
    }
}
