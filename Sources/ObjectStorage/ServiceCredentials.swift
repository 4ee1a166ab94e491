import Foundation

/// The keys of an account of an S3 service. Nothing prints the secret.
package struct ServiceCredentials: Sendable, Equatable {
    /// A problem for the operator. Its text holds no part of a credential.
    package struct Unusable: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    private static let fileLimit = 16_384

    let accessKey: String
    let secretKey: String
    /// The token of temporary credentials; nil for lasting ones.
    let sessionToken: String?

    /// - Throws: ``Unusable`` for a key that no header can hold.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) throws {
        for text in [accessKey, secretKey, sessionToken ?? "-"] {
            guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Unusable(description: "a key of the S3 service must be visible ASCII characters without spaces")
            }
        }
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Returns the credentials of a file, if one is named, else of the environment: `GRAPHD_S3_ACCESS_KEY` and
    /// `GRAPHD_S3_SECRET_KEY`, else `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` with `AWS_SESSION_TOKEN`.
    ///
    /// - Throws: ``Unusable``.
    package static func load(file: String?, environment: [String: String]) throws -> ServiceCredentials {
        if let file { return try ServiceCredentials(file: file) }
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let access = value("GRAPHD_S3_ACCESS_KEY"), let secret = value("GRAPHD_S3_SECRET_KEY") {
            return try ServiceCredentials(accessKey: access, secretKey: secret)
        }
        if let access = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
            return try ServiceCredentials(
                accessKey: access, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
        }
        throw Unusable(
            description: "the S3 service needs credentials: set GRAPHD_S3_ACCESS_KEY and GRAPHD_S3_SECRET_KEY, or name "
                + "a file with credentials=/path")
    }

    /// Reads lines `name = value` with the names of AWS's files: `aws_access_key_id`, `aws_secret_access_key` and
    /// `aws_session_token`. Lines of other names, sections and comments are ignored; only one profile may be in it.
    private init(file: String) throws {
        func unusable(_ reason: String) -> Unusable { Unusable(description: "the credentials file \(file) \(reason)") }
        var status = stat()
        guard stat(file, &status) == 0, let data = FileManager.default.contents(atPath: file) else {
            throw unusable("cannot be read")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw unusable("can be read by others. Run: chmod 600 \(file)")
        }
        guard data.count <= Self.fileLimit, let text = String(data: data, encoding: .utf8) else {
            throw unusable("is not a text of at most \(Self.fileLimit) bytes")
        }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let pair = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].hasPrefix("aws_") else { continue }
            guard values.updateValue(pair[1], forKey: pair[0]) == nil else {
                throw unusable("gives \(pair[0]) twice")
            }
        }
        guard let access = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw unusable("must have the lines aws_access_key_id = … and aws_secret_access_key = …")
        }
        try self.init(accessKey: access, secretKey: secret, sessionToken: values["aws_session_token"])
    }
}

extension ServiceCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "credentials" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
