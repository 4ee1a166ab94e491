import HTTPMiddleware

/// An address and a port of this machine.
struct ListeningAddress: Sendable, Equatable {
    static let expected = "HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090"

    let host: String
    /// The port; 0 lets the system choose.
    let port: Int

    /// Parses `HOST:PORT`; an IPv6 address is in brackets. Nil for anything else.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0 == " " || $0 == "/" || $0 == "[" || $0 == "]" }) else {
            return nil
        }
        self.host = String(host)
        self.port = Int(port)
    }
}

extension ServerConfiguration {
    /// Reads the settings of listeners and connections.
    mutating func readConnections(_ sources: SettingSources) throws {
        try sources.read(.adminAddress, ListeningAddress.expected, into: &adminAddress) {
            ListeningAddress($0).map { .some($0) }
        }
        try sources.read(.corsOrigins, AllowedOrigins.expected, into: &corsOrigins) {
            AllowedOrigins($0).map { .some($0) }
        }
        try sources.read(.maxConnections, Self.wholeNumber(Self.connectionCaps), into: &maxConnections) {
            Self.number($0, in: Self.connectionCaps)
        }
        try sources.read(
            .maxConnectionsPerAddress, Self.wholeNumber(Self.addressCaps), into: &maxConnectionsPerAddress
        ) { Self.number($0, in: Self.addressCaps) }
        try sources.read(.headerTimeout, Self.expectedTimeout, into: &headerTimeout) { Self.timeout($0) }
        try sources.read(.bodyTimeout, Self.expectedTimeout, into: &bodyTimeout) { Self.timeout($0) }
        try sources.read(.idleTimeout, Self.expectedTimeout, into: &idleTimeout) { Self.timeout($0) }
        try sources.read(.watchdog, "off, or a duration from 10s to 60m", into: &watchdog) { text in
            if text == "off" { return .some(nil) }
            return DurationText.parse(text).flatMap { Self.stallTimes.contains($0) ? .some($0) : nil }
        }
    }

    private static let expectedTimeout = "a duration from 1s to 60m, such as 20s"

    private static func timeout(_ text: String) -> Duration? {
        DurationText.parse(text).flatMap { timeouts.contains($0) ? $0 : nil }
    }
}
