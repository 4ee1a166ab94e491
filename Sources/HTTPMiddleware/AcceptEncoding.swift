import HTTPTypes

/// The header `Accept-Encoding` (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    /// Returns true if the client names gzip, or all codings, with a weight above 0. A malformed element counts as
    /// absent.
    package static func allowsGzip(_ headers: HTTPFields) -> Bool {
        var gzip: Bool?
        var others = false
        for list in headers[values: .acceptEncoding] {
            for element in list.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                guard parts.count <= 2, let isAccepted = parts.count == 1 ? true : isPositive(trimmed(parts[1])) else {
                    continue
                }
                switch String(Substring(trimmed(parts[0]))).lowercased() {
                case "gzip", "x-gzip": gzip = isAccepted
                case "*": others = isAccepted
                default: break
                }
            }
        }
        return gzip ?? others
    }

    /// Returns true for a weight `q=0.001` to `q=1`, false for 0; nil if the weight is malformed.
    private static func isPositive(_ weight: Substring.UTF8View) -> Bool? {
        let bytes = Array(weight)
        guard (3...7).contains(bytes.count), bytes[0] | 0x20 == UInt8(ascii: "q"), bytes[1] == UInt8(ascii: "="),
            bytes[2] == UInt8(ascii: "0") || bytes[2] == UInt8(ascii: "1"),
            bytes.count == 3 || bytes[3] == UInt8(ascii: ".")
        else { return nil }
        let decimals = bytes.dropFirst(4)
        guard decimals.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        let isNull = decimals.allSatisfy { $0 == UInt8(ascii: "0") }
        if bytes[2] == UInt8(ascii: "1") { return isNull ? true : nil }
        return !isNull
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
