/// The bytes that a `Range` header requests (RFC 9110 §14).
package enum FileRange: Equatable {
    /// No usable range: the whole file.
    case whole
    /// First and last byte, both in the file.
    case part(ClosedRange<Int64>)
    /// A range without any byte of the file.
    case unsatisfiable

    /// Parses a range. Another unit, a malformed header and several ranges count as no range, as RFC 9110 allows.
    ///
    /// - Parameters:
    ///   - header: of a GET request; nil if there is none.
    ///   - bytes: length of the file.
    package init(_ header: String?, bytes: Int64) {
        guard let header, let equals = header.firstIndex(of: "="), header[..<equals].lowercased() == "bytes" else {
            self = .whole
            return
        }
        let bounds = header[header.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else {
            self = .whole
            return
        }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (.some(let first), .some(let last)) where first <= last:
            self = first < bytes ? .part(first...min(last, bytes - 1)) : .unsatisfiable
        case (.some(let first), nil) where bounds[1].isEmpty:
            self = first < bytes ? .part(first...(bytes - 1)) : .unsatisfiable
        case (nil, .some(let count)) where bounds[0].isEmpty:
            self = count > 0 && bytes > 0 ? .part(max(bytes - count, 0)...(bytes - 1)) : .unsatisfiable
        default: self = .whole
        }
    }

    /// Parses decimal digits. A number beyond 64 bits counts as the greatest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int64(text) ?? .max
    }
}
