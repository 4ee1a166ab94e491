import Crypto
import Foundation

/// A request to sign: everything of it that the signature covers.
struct SignableRequest: Sendable, Equatable {
    var method: String
    /// The path, not encoded.
    var path: String
    /// Names and values, not encoded.
    var query: [(name: String, value: String)] = []
    /// All headers to sign, but for the date, the digest and the token.
    var headers: [(name: String, value: String)] = []

    static func == (one: SignableRequest, other: SignableRequest) -> Bool {
        one.method == other.method && one.path == other.path && one.query.elementsEqual(other.query, by: ==)
            && one.headers.elementsEqual(other.headers, by: ==)
    }
}

/// Signs requests for an S3 service: AWS Signature Version 4, in headers or in a link.
struct RequestSigner: Sendable {
    static let emptyDigest = Hexadecimal.encode(SHA256.hash(data: [UInt8]()))
    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let unsignedPayload = "UNSIGNED-PAYLOAD"

    let credentials: ServiceCredentials
    let region: String

    /// Returns the headers of the request with its signature.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of the body in hexadecimal digits.
    ///   - time: seconds since 1970.
    func headers(
        for request: SignableRequest, digest: String, at time: Int64
    ) -> [(name: String, value: String)] {
        let date = SigningDate(time)
        var request = request
        request.headers += [("x-amz-content-sha256", digest), ("x-amz-date", date.text)]
        if let token = credentials.sessionToken { request.headers.append(("x-amz-security-token", token)) }
        let signature = signature(of: request, digest: digest, date)
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(date)),"
            + "SignedHeaders=\(Self.signedNames(request)),Signature=\(signature)"
        return request.headers + [("Authorization", authorization)]
    }

    /// Returns the encoded query of a link that is valid for `seconds`.
    func query(for request: SignableRequest, validFor seconds: Int, at time: Int64) -> String {
        let date = SigningDate(time)
        var request = request
        request.query += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(date))"),
            ("X-Amz-Date", date.text), ("X-Amz-Expires", String(seconds)),
            ("X-Amz-SignedHeaders", Self.signedNames(request)),
        ]
        if let token = credentials.sessionToken { request.query.append(("X-Amz-Security-Token", token)) }
        let signature = signature(of: request, digest: Self.unsignedPayload, date)
        return Self.encoded(request.query) + "&X-Amz-Signature=\(signature)"
    }

    /// Returns the query of a URL: names and values encoded, in the order of the encoded names.
    static func encoded(_ query: [(name: String, value: String)]) -> String {
        query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
            .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private func signature(of request: SignableRequest, digest: String, _ date: SigningDate) -> String {
        let text = [
            Self.algorithm, date.text, scope(date),
            Hexadecimal.encode(SHA256.hash(data: Array(Self.canonical(request, digest: digest).utf8))),
        ].joined(separator: "\n")
        var key = SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))
        for part in [date.day, region, "s3", "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
        }
        return Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    private func scope(_ date: SigningDate) -> String { "\(date.day)/\(region)/s3/aws4_request" }

    static func canonical(_ request: SignableRequest, digest: String) -> String {
        let headers = sortedHeaders(request).map { "\($0.name):\($0.value)\n" }.joined()
        return [
            request.method, PercentEncoding.encode(request.path, keepsSlash: true), encoded(request.query), headers,
            signedNames(request), digest,
        ].joined(separator: "\n")
    }

    private static func signedNames(_ request: SignableRequest) -> String {
        sortedHeaders(request).map(\.name).joined(separator: ";")
    }

    private static func sortedHeaders(_ request: SignableRequest) -> [(name: String, value: String)] {
        request.headers.map { ($0.name.lowercased(), $0.value) }.sorted { $0 < $1 }
    }
}

/// A time as signatures write it.
struct SigningDate: Sendable, Equatable {
    /// `20130524T000000Z`
    let text: String
    /// `20130524`
    var day: String { String(text.prefix(8)) }

    /// - Parameter time: seconds since 1970.
    init(_ time: Int64) {
        var (seconds, parts) = (time_t(time), tm())
        gmtime_r(&seconds, &parts)
        text = String(
            format: "%04d%02d%02dT%02d%02d%02dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
            parts.tm_min, parts.tm_sec)
    }
}
