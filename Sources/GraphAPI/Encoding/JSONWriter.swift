/// Appends JSON to a byte buffer, without Foundation and without intermediate values.
///
/// Commas are inserted by looking at the last byte written. After `{`, `[`, `:` or nothing a value or key follows at
/// once; after any other byte a comma comes first. A string never ends in one of those, because it ends in a quotation
/// mark. No other state is needed, and pre-encoded fragments can be inserted anywhere. The caller balances begin and
/// end.
///
///     var json = JSONWriter(reservingCapacity: 256)
///     json.beginObject()
///     json.key("postId")
///     json.id(42)
///     json.endObject()
package struct JSONWriter: Sendable {
    /// The bytes written so far; UTF-8.
    package private(set) var bytes: [UInt8]

    /// - Parameter reservingCapacity: bytes to make room for at once.
    package init(reservingCapacity capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a member's name; it must need no escaping (checked in debug builds).
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { utf8 in
            assert(!utf8.contains(where: Self.needsEscape), "a key that needs escaping goes through key(escaping:)")
            bytes.append(contentsOf: utf8)
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member's name that is only known at run time.
    package mutating func key(escaping name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes the string, or null if it is nil.
    package mutating func string(_ value: String?) {
        if let value { string(value) } else { null() }
    }

    package mutating func bool(_ value: Bool) {
        separate()
        if value {
            bytes.append(contentsOf: Self.trueBytes)
        } else {
            bytes.append(contentsOf: Self.falseBytes)
        }
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: Self.nullBytes)
    }

    package mutating func integer(_ value: Int64) {
        separate()
        appendDecimal(value.magnitude, negative: value < 0)
    }

    package mutating func integer(_ value: Int) { integer(Int64(value)) }

    package mutating func integer(_ value: UInt64) {
        separate()
        appendDecimal(value, negative: false)
    }

    /// Writes an id as a string of decimal digits: a JavaScript number would lose precision above 2^53.
    package mutating func id(_ value: Int64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendDecimal(value.magnitude, negative: value < 0)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an instant as RFC 3339 in UTC with milliseconds: `"2026-11-21T02:04:05.123Z"`.
    ///
    /// - Parameter milliseconds: since 1970; instants outside the years 0000 to 9999 are clamped to them.
    package mutating func timestamp(milliseconds: Int64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        CivilTime(millisecondsSince1970: milliseconds).append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Inserts JSON that has already been encoded: one value, or members of an object (`"a":1,"b":2`).
    package mutating func raw(_ fragment: [UInt8]) {
        separate()
        bytes.append(contentsOf: fragment)
    }

    /// Inserts a part of encoded JSON, as ``raw(_:)`` does.
    package mutating func raw(_ fragment: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: fragment)
    }

    /// Continues with JSON that has already been encoded, from within a value that it leaves.
    package mutating func continued(_ rest: [UInt8]) {
        bytes.append(contentsOf: rest)
    }

    /// Continues with a part of encoded JSON, from within a value that it leaves.
    package mutating func continued(_ rest: ArraySlice<UInt8>) {
        bytes.append(contentsOf: rest)
    }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }
}

extension JSONWriter {
    private static let trueBytes: [UInt8] = Array("true".utf8)
    private static let falseBytes: [UInt8] = Array("false".utf8)
    private static let nullBytes: [UInt8] = Array("null".utf8)
    private static let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)

    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in utf8.indices where Self.needsEscape(utf8[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            appendEscape(utf8[index])
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(UInt8(ascii: "u"))
            bytes.append(UInt8(ascii: "0"))
            bytes.append(UInt8(ascii: "0"))
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 0xF)])
        }
    }

    private mutating func appendDecimal(_ magnitude: UInt64, negative: Bool) {
        if negative {
            bytes.append(UInt8(ascii: "-"))
        }
        var rest = magnitude
        var digits = 1
        var probe = rest
        while probe >= 10 {
            probe /= 10
            digits += 1
        }
        let first = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        for index in (first..<first + digits).reversed() {
            bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
