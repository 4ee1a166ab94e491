/// The origins whose pages may read answers.
package enum AllowedOrigins: Sendable, Equatable {
    case any
    /// Origins as browsers write them: in lower case, and without the default port of their scheme.
    case listed(Set<String>)

    /// An acceptable value of the setting, for its message.
    package static let expected = """
        *, or origins separated by commas, such as https://app.example.org,http://localhost:5173; an origin has a \
        scheme, a host and a port only
        """

    /// Parses `*`, or origins separated by commas; nil if one is malformed.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        var origins: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let part = part.drop { $0 == " " }
            guard let origin = Self.origin(part.dropLast(part.reversed().prefix { $0 == " " }.count)) else {
                return nil
            }
            origins.insert(origin)
        }
        self = .listed(origins)
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a page of `origin`; nil if it may not read answers.
    func answer(to origin: String) -> String? {
        switch self {
        case .any: "*"
        case .listed(let origins): origins.contains(origin) ? origin : nil
        }
    }

    /// Returns `scheme://host` or `scheme://host:port`; nil for anything else, including `null`.
    private static func origin(_ text: Substring) -> String? {
        let text = text.lowercased()
        guard let separator = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.utf8[separator...].starts(with: "://".utf8)
        else { return nil }
        let scheme = text[..<separator]
        let rest = text[text.utf8.index(separator, offsetBy: 3)...]
        guard let first = scheme.utf8.first, isLetter(first), scheme.utf8.allSatisfy(isOfScheme) else { return nil }
        let (host, port) = hostAndPort(rest)
        guard isHost(host) else { return nil }
        guard let port else { return "\(scheme)://\(host)" }
        guard let number = UInt16(port), number > 0, port.utf8.allSatisfy(isDigit) else { return nil }
        let standard: [Substring: UInt16] = ["http": 80, "https": 443]
        return standard[scheme] == number ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(number)"
    }

    private static func hostAndPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        // The colons of an IPv6 address are in brackets.
        let end = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        guard let colon = text.utf8[end...].firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (text[..<colon], text[text.utf8.index(after: colon)...])
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            let inner = text.utf8.dropFirst().dropLast()
            return !inner.isEmpty
                && inner.allSatisfy { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 || isOneOf($0, ":.") }
        }
        return !text.isEmpty && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || isOneOf($0, "-._") }
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || isOneOf(byte, "+-.") }
    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isOneOf(_ byte: UInt8, _ signs: String) -> Bool { signs.utf8.contains(byte) }
}
