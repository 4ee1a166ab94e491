import Foundation

/// A bucket of an S3 service, and the beginning of the names that are used in it.
///
/// Its text is `s3://bucket[/prefix][?endpoint=http://host:port&region=…&links=…&credentials=…]`. It never holds
/// credentials.
package struct BucketAddress: Sendable, Equatable {
    /// The ways in which clients get the bytes of a file.
    package enum Links: String, Sendable, CaseIterable {
        /// graphd passes them through.
        case none
        /// The service sends them, by a signed link that is valid for a short time.
        case signed
    }

    /// A text that names no bucket. The description says what would be right, and does not repeat the text.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package static let expected =
        "s3://bucket[/prefix][?endpoint=http://host:port&region=name&links=signed&credentials=/path], such as "
        + "s3://media?endpoint=http://127.0.0.1:9000"

    package let bucket: String
    /// The beginning of every key: empty, or with a slash at its end.
    package let prefix: String
    package let endpoint: ServiceEndpoint
    package let region: String
    package let links: Links
    /// The file with the credentials; nil for those of the environment.
    package let credentialsFile: String?

    /// - Throws: ``Malformed``.
    package init(parsing text: String) throws {
        guard text.hasPrefix("s3://") else { throw Malformed(description: "must be \(Self.expected)") }
        let parts = text.dropFirst("s3://".count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].contains("@") else {
            throw Malformed(
                description: "must not hold credentials: give them in the environment (GRAPHD_S3_ACCESS_KEY and "
                    + "GRAPHD_S3_SECRET_KEY) or in a file (credentials=/path)")
        }
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = try Self.bucket(path[0])
        prefix = path.count == 1 ? "" : try Self.prefix(path[1])
        let parameters = try Self.parameters(parts.count == 1 ? "" : parts[1])
        endpoint = try Self.endpoint(parameters, bucket: bucket)
        region = try Self.region(parameters["region"] ?? "us-east-1")
        guard let links = Links(rawValue: parameters["links"] ?? Links.none.rawValue) else {
            throw Malformed(description: "links must be none or signed")
        }
        self.links = links
        credentialsFile = parameters["credentials"]
    }

    private static func bucket(_ text: Substring) throws -> String {
        let isValid = text.utf8.allSatisfy { $0.isLowerCaseLetter || $0.isDigit || $0 == dot || $0 == hyphen }
        guard (3...63).contains(text.utf8.count), isValid, text.first != ".", text.first != "-" else {
            throw Malformed(
                description: "must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens: \(expected)")
        }
        return String(text)
    }

    private static func prefix(_ text: Substring) throws -> String {
        let text = text.hasSuffix("/") ? text.dropLast() : text
        guard !text.isEmpty else { return "" }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isValid = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy { $0.isUnreserved && $0 != tilde }
        }
        guard text.utf8.count <= 200, isValid else {
            throw Malformed(
                description: "must have a prefix of at most 200 letters, digits, dots, hyphens and underscores, with "
                    + "single slashes between them")
        }
        return text + "/"
    }

    private static func parameters(_ text: Substring) throws -> [String: String] {
        let known = ["endpoint", "region", "links", "credentials"]
        var parameters: [String: String] = [:]
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, known.contains(pair[0]), let value = pair[1].removingPercentEncoding, !value.isEmpty,
                !value.contains("\0"), parameters.updateValue(value, forKey: pair[0]) == nil
            else {
                throw Malformed(
                    description: "may have the parameters \(known.joined(separator: ", ")), each once and with a value")
            }
        }
        return parameters
    }

    private static func endpoint(_ parameters: [String: String], bucket: String) throws -> ServiceEndpoint {
        if let text = parameters["endpoint"] {
            guard let endpoint = ServiceEndpoint(parsing: text) else {
                throw Malformed(
                    description: "must have an endpoint such as http://127.0.0.1:9000 or https://s3.example.org")
            }
            return endpoint
        }
        guard let region = parameters["region"] else {
            throw Malformed(description: "must have an endpoint, or the region of AWS: \(expected)")
        }
        return ServiceEndpoint(amazonRegion: try self.region(region), bucket: bucket)
    }

    private static func region(_ text: String) throws -> String {
        let isValid = text.utf8.allSatisfy { $0.isLowerCaseLetter || $0.isDigit || $0 == hyphen }
        guard (1...64).contains(text.utf8.count), isValid else {
            throw Malformed(description: "must have a region such as eu-central-1")
        }
        return text
    }
}

extension BucketAddress: CustomStringConvertible {
    /// The bucket and the prefix, by which a place is known however it is reached.
    package var description: String { "s3://\(bucket)/\(prefix)" }
}

private let dot = UInt8(ascii: ".")
private let hyphen = UInt8(ascii: "-")
private let tilde = UInt8(ascii: "~")
