import Crypto
import Foundation
import HTTPTypes

/// Verifies signatures of requests from what arrived, by the description of AWS Signature Version 4. It shares no code
/// with the signer.
struct SignatureCheck {
    let accessKey: String
    let secretKey: String

    /// A refusal with a status and a code of S3.
    struct Refusal: Error {
        let status: Int
        let code: String
    }

    /// - Parameters:
    ///   - body: the bytes that arrived; nil if they need no signature.
    ///   - now: seconds since 1970.
    func verify(_ request: HTTPRequest, body: [UInt8], now: Int64) throws {
        let parts = (request.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        if let signature = value(of: "X-Amz-Signature", in: query) {
            try verifyLink(request, String(parts[0]), query, signature, now)
        } else {
            try verifyHeaders(request, String(parts[0]), query, body, now)
        }
    }

    private func verifyHeaders(
        _ request: HTTPRequest, _ path: String, _ query: [String], _ body: [UInt8], _ now: Int64
    ) throws {
        guard let authorization = header("authorization", of: request) else {
            throw Refusal(status: 403, code: "AccessDenied")
        }
        var fields: [String: String] = [:]
        for field in authorization.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",") {
            let pair = field.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        guard let credential = fields["Credential"], let names = fields["SignedHeaders"],
            let signature = fields["Signature"], let date = header("x-amz-date", of: request),
            let digest = header("x-amz-content-sha256", of: request)
        else { throw Refusal(status: 400, code: "AuthorizationHeaderMalformed") }
        guard names.split(separator: ";").contains("host") else { throw Refusal(status: 403, code: "AccessDenied") }
        try require(
            signature, credential, date, now, digest, request, path, query.sorted(), names)
        guard digest == hexadecimal(SHA256.hash(data: body)) else {
            throw Refusal(status: 400, code: "XAmzContentSHA256Mismatch")
        }
    }

    private func verifyLink(
        _ request: HTTPRequest, _ path: String, _ query: [String], _ signature: String, _ now: Int64
    ) throws {
        guard let date = value(of: "X-Amz-Date", in: query), let expires = value(of: "X-Amz-Expires", in: query),
            let credential = value(of: "X-Amz-Credential", in: query),
            let names = value(of: "X-Amz-SignedHeaders", in: query), let start = seconds(date),
            let length = Int64(expires)
        else { throw Refusal(status: 400, code: "AuthorizationQueryParametersError") }
        guard now <= start + length else { throw Refusal(status: 403, code: "AccessDenied") }
        let signed = query.filter { !$0.hasPrefix("X-Amz-Signature=") }.sorted()
        try require(signature, credential, date, start, "UNSIGNED-PAYLOAD", request, path, signed, names)
    }

    private func require(
        _ signature: String, _ credential: String, _ date: String, _ now: Int64, _ digest: String,
        _ request: HTTPRequest, _ path: String, _ query: [String], _ names: String
    ) throws {
        let scope = credential.split(separator: "/").map(String.init)
        guard scope.count == 5, scope[0] == accessKey else { throw Refusal(status: 403, code: "InvalidAccessKeyId") }
        guard let time = seconds(date), abs(time - now) <= 900 else {
            throw Refusal(status: 403, code: "RequestTimeTooSkewed")
        }
        let headers = try names.split(separator: ";").map { name in
            let value = name == "host" ? request.authority : header(String(name), of: request)
            guard let value else { throw Refusal(status: 403, code: "SignatureDoesNotMatch") }
            return "\(name):\(value)\n"
        }
        let canonical =
            "\(request.method.rawValue)\n\(path)\n\(query.joined(separator: "&"))\n\(headers.joined())\n"
            + "\(names)\n\(digest)"
        let text =
            "AWS4-HMAC-SHA256\n\(date)\n\(scope[1...].joined(separator: "/"))\n"
            + hexadecimal(SHA256.hash(data: Data(canonical.utf8)))
        var key = Data("AWS4\(secretKey)".utf8)
        for part in scope[1...] {
            key = Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: SymmetricKey(data: key)))
        }
        let expected = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))
        guard signature == hexadecimal(expected) else { throw Refusal(status: 403, code: "SignatureDoesNotMatch") }
    }

    private func header(_ name: String, of request: HTTPRequest) -> String? {
        HTTPField.Name(name).flatMap { request.headerFields[$0] }
    }

    private func value(of name: String, in query: [String]) -> String? {
        query.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1).description.removingPercentEncoding
    }

    private func seconds(_ date: String) -> Int64? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return format.date(from: date).map { Int64($0.timeIntervalSince1970) }
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}
