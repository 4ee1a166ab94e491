extension UInt8 {
    var isLowerCaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True for the characters that a URI never encodes (RFC 3986 §2.3).
    var isUnreserved: Bool {
        isLowerCaseLetter || isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(self)
    }
}

/// The encoding of names and values in signed URLs: everything but unreserved characters.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// - Parameter keepsSlash: true for paths.
    static func encode(_ text: String, keepsSlash: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved || (keepsSlash && byte == UInt8(ascii: "/")) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Lower-case hexadecimal digits.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
