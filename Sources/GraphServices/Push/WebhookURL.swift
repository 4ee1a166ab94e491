/// The URL of a webhook, parsed once and rebuilt from its parts, so that the checked host is the one connected to: http
/// or https, no user information, and a host that is an address or a name of plain letters, digits, hyphens and dots.
package struct WebhookURL: Sendable, Equatable {
    let scheme: String
    /// The host in lower case; an IPv6 address without its brackets.
    package let host: String
    package let port: Int?
    /// Path and query; never empty.
    package let target: String

    /// The address, if the host is one; nil for a name, which must be resolved.
    package let address: IPAddress?

    /// Parses a webhook URL; nil if it is invalid.
    package init?(_ text: String) {
        guard (try? TextRules.url(text, field: "url")) != nil, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = text.firstRange(of: "://")
        else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        let rest = text[colon.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest[authority.endIndex...]
        target = tail.first == "/" ? String(tail) : "/" + tail
        guard let (host, port) = Self.split(authority) else { return nil }
        address = IPAddress(host)
        guard address != nil || Self.isName(host), port != 0 else { return nil }
        (self.host, self.port) = (host, port)
    }

    /// The same URL, rebuilt from the checked parts.
    package var text: String {
        let name = address?.bytes.count == 16 ? "[\(host)]" : host
        return "\(scheme)://\(name)\(port.map { ":\($0)" } ?? "")\(target)"
    }

    private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
        var (host, rest): (Substring, Substring)
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            // A zone ("%eth0") would be part of the address.
            guard let address = IPAddress(String(host)), address.bytes.count == 16 else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
        }
        guard rest.isEmpty else {
            guard let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
            return (host.lowercased(), port)
        }
        return (host.lowercased(), nil)
    }

    /// Returns true for labels of letters, digits and hyphens. User information (`@`) is not accepted, nor are other
    /// scripts, which must be given in Punycode: parsers disagree on them.
    private static func isName(_ host: String) -> Bool {
        host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    }
            }
    }
}
