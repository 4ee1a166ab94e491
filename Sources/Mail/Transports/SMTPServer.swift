/// An SMTP server to which mail is submitted.
package struct SMTPServer: Sendable, Equatable {
    package enum Security: Sendable, Equatable {
        /// TLS from the first byte (`smtps://`).
        case implicit
        /// STARTTLS, and nothing is sent without it.
        case required
        /// No TLS: for this machine, and where the operator asks for it.
        case none
    }

    /// A name or an address; an IPv6 address without its brackets.
    package var host: String
    package var port: Int
    package var security: Security
    package var user: String?
    package var password: String?
    /// File with the certificates that are trusted instead of those of the system (`?ca=PATH`).
    package var authorities: String?

    init(
        host: String, port: Int, security: Security, user: String? = nil, password: String? = nil,
        authorities: String? = nil
    ) {
        (self.host, self.port, self.security) = (host, port, security)
        (self.user, self.password, self.authorities) = (user, password, authorities)
    }

    /// The URL for curl. It names no user.
    var url: String {
        let scheme = security == .implicit ? "smtps" : "smtp"
        return "\(scheme)://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
    }
}

extension SMTPServer {
    /// Parses the rest of `smtp://` or `smtps://`: `[user:password@]host[:port][?tls=none&ca=PATH]`. Percent-escapes
    /// are decoded in user, password and path.
    ///
    /// - Throws: ``MailFault``, which never repeats the password.
    init(parsing text: Substring, isImplicit: Bool) throws {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let at = parts[0].lastIndex(of: "@")
        let (host, port) = try Self.hostAndPort(at.map { parts[0][parts[0].index(after: $0)...] } ?? parts[0])
        let isLocal = Self.isLoopback(host)
        self.init(
            host: host, port: port ?? (isImplicit ? 465 : isLocal ? 25 : 587),
            security: isImplicit ? .implicit : isLocal ? .none : .required)
        for option in parts.count == 2 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : [] {
            let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch (pair[0], pair.count == 2 ? pair[1] : "") {
            case ("tls", "none") where !isImplicit: security = .none
            case ("tls", "required"): if !isImplicit { security = .required }
            case ("ca", let path) where path.hasPrefix("/"): authorities = try Self.decoded(path)
            default: throw Self.malformed("the only options are tls=none, tls=required and ca=/PATH")
            }
        }
        guard let at else { return }
        let names = parts[0][..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else {
            throw Self.malformed("a password must be given as user:password@")
        }
        (user, password) = (try Self.decoded(names[0]), try Self.decoded(names[1]))
        guard user?.utf8.contains(UInt8(ascii: ":")) == false else {
            throw Self.malformed("a user must have no colon, with which curl ends the name")
        }
        guard security != .none || isLocal else {
            throw Self.malformed("with tls=none the password would be sent in the clear; leave out one of the two")
        }
    }

    private static func malformed(_ reason: String) -> MailFault { MailFault("not an SMTP server: \(reason)") }

    private static func hostAndPort(_ text: Substring) throws -> (String, Int?) {
        var (host, rest) = (text, Substring())
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw malformed("\"[\" without \"]\"") }
            (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
            guard host.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || isHexadecimal($0) }) else {
                throw malformed("an address in brackets must be IPv6")
            }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            (host, rest) = (text[..<colon], text[colon...])
            guard host.utf8.allSatisfy({ isName($0) }) else {
                throw malformed("a host has letters, digits, hyphens and dots")
            }
        }
        guard !host.isEmpty, host.utf8.count <= 253 else { throw malformed("it must name a host") }
        guard !rest.isEmpty else { return (host.lowercased(), nil) }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else {
            throw malformed("a port is a number from 1 to 65535")
        }
        return (host.lowercased(), port)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || isHexadecimal(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { hexadecimal(byte) != nil }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    private static func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
                throw malformed("a percent sign must be written %25")
            }
            bytes.append(high << 4 | low)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validating: bytes, as: UTF8.self) else {
            throw malformed("its user, password and path must be text without control characters")
        }
        return text
    }
}
