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

/// The paths of a certificate chain and its private key, both PEM.
struct CertificateFiles: Sendable, Equatable {
    let chain: String
    let key: String
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
        certificate = try Self.certificate(sources)
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

    /// Returns the files of the certificate from their two settings; both must be given, or neither.
    private static func certificate(_ sources: SettingSources) throws -> CertificateFiles? {
        var (chain, key): (String?, String?)
        try sources.read(.tlsCertificate, "the path of a file", into: &chain) { $0 }
        try sources.read(.tlsKey, "the path of a file", into: &key) { $0 }
        switch (chain, key) {
        case (let chain?, let key?): return CertificateFiles(chain: chain, key: key)
        case (nil, nil): return nil
        default:
            let (first, second) = (Setting.tlsCertificate.flag, Setting.tlsKey.flag)
            throw ConfigurationError(description: "\(first) and \(second) must be given together or not at all")
        }
    }

    private static let expectedTimeout = "a duration from 1s to 60m, such as 20s"

    private static func timeout(_ text: String) -> Duration? {
        DurationText.parse(text).flatMap { timeouts.contains($0) ? $0 : nil }
    }
}
