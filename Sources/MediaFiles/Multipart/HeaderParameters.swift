/// A header value with parameters, such as `Content-Type` and `Content-Disposition`: `value; name=token; name="text"`.
package struct HeaderParameters: Sendable, Equatable {
    /// The text before the first semicolon, in lower case.
    package let value: String
    /// The parameters by lower-case name.
    package let parameters: [String: String]

    /// Parses a header value; nil for a text that is not of this form, or that gives a parameter twice.
    ///
    /// Within quotes a backslash escapes a quote and itself, and is literal elsewhere: some browsers send a Windows
    /// path unchanged.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        value = Self.takeWhile(&rest) { $0 != UInt8(ascii: ";") }.trimmed.lowercased()
        guard !value.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst()
            Self.skipSpace(&rest)
            // A semicolon at the end.
            if rest.isEmpty { break }
            let name = Self.takeWhile(&rest, Self.isToken).lowercased()
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst()
            guard let value = Self.takeValue(&rest) else { return nil }
            guard parameters.updateValue(value, forKey: name) == nil else { return nil }
            Self.skipSpace(&rest)
        }
        guard rest.isEmpty else { return nil }
        self.parameters = parameters
    }

    private static func takeValue(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            let token = takeWhile(&rest, isToken)
            return token.isEmpty ? nil : token
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte {
                rest = rest.dropFirst()
                bytes.append(next)
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }

    private static func takeWhile(_ rest: inout Substring.UTF8View, _ isTaken: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private static func skipSpace(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Returns true for RFC 9110's token characters, and for others that occur in boundaries and that clients send
    /// without quotes.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "\"")
            && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ",")
    }
}

extension String {
    /// The text without surrounding spaces and tabs.
    fileprivate var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = utf8[...].drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }
}
