import Foundation

/// The address of an S3 service.
package struct ServiceEndpoint: Sendable, Equatable, CustomStringConvertible {
    package let isEncrypted: Bool
    /// A host name or an address; IPv6 in brackets.
    package let host: String
    /// Nil for the port of the scheme.
    package let port: Int?
    /// True if the bucket is the first part of the path, false if it is part of the host.
    let hasBucketInPath: Bool

    /// Parses `http://host[:port]` or `https://host[:port]`; nil for anything else, also for a URL with a user, a
    /// path or a query.
    package init?(parsing text: String) {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let components = URLComponents(string: text), components.user == nil, components.password == nil,
            components.path.isEmpty, components.query == nil, components.fragment == nil,
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host?.lowercased(), !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte),
            components.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        isEncrypted = scheme == "https"
        self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        port = components.port == (isEncrypted ? 443 : 80) ? nil : components.port
        hasBucketInPath = true
    }

    /// The endpoint of AWS for a bucket. A name with dots is in the path, because no certificate would match it.
    init(amazonRegion region: String, bucket: String) {
        isEncrypted = true
        port = nil
        hasBucketInPath = bucket.contains(".")
        host = (hasBucketInPath ? "" : bucket + ".") + "s3.\(region).amazonaws.com"
    }

    /// The value of the header `Host`.
    var authority: String { port.map { "\(host):\($0)" } ?? host }

    package var description: String { "\(isEncrypted ? "https" : "http")://\(authority)" }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
}
