/// Rewrites the parameters of a statement from `?1`, as the stores write them, to `$1`, as PostgreSQL reads them.
enum ParameterNumbering {
    /// Leaves quoted text, quoted names and comments alone.
    static func postgreSQL(_ sql: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(sql.utf8.count)
        var rest = Array(sql.utf8)[...]
        while let byte = rest.first {
            let length = lengthOfOpaquePart(rest)
            if length > 0 {
                result += rest.prefix(length)
                rest = rest.dropFirst(length)
                continue
            }
            rest = rest.dropFirst()
            let isParameter = byte == UInt8(ascii: "?") && rest.first.map(isDigit) == true
            result.append(isParameter ? UInt8(ascii: "$") : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The length in bytes of the quoted part or comment at the start of `rest`; 0: there is none.
    private static func lengthOfOpaquePart(_ rest: ArraySlice<UInt8>) -> Int {
        guard let first = rest.first else { return 0 }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            // A doubled quote within the part ends one part and starts the next.
            let end = rest.dropFirst().firstIndex(of: first) ?? rest.index(before: rest.endIndex)
            return end - rest.startIndex + 1
        }
        if rest.starts(with: "--".utf8) {
            return (rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex) - rest.startIndex
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
