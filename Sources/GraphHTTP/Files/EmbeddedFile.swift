import Crypto
import HTTPMiddleware
import HTTPTypes
import Hummingbird
import NIOCore

/// A file that is part of the program: of a page, or the description of the API.
struct EmbeddedFile: Sendable {
    let name: String
    let contentType: String
    let body: ByteBuffer
    let validators: FileValidators

    init(_ name: String, _ type: ContentType, _ bytes: [UInt8]) {
        self.name = name
        contentType = type.rawValue
        body = ByteBuffer(bytes: bytes)
        // The file has no date: only its content identifies it.
        validators = FileValidators(sha256: Array(SHA256.hash(data: bytes)), modified: 0)
    }

    enum ContentType: String {
        case html = "text/html; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case style = "text/css; charset=utf-8"
        case picture = "image/svg+xml"
        case yaml = "application/yaml"
    }

    /// Returns the file, or 304 if the client has it already.
    func answer(to request: Request, headers others: HTTPFields = [:]) -> Response {
        var headers = others
        headers[.xContentTypeOptions] = "nosniff"
        // Revalidated on each request, and sent in full only after an upgrade of graphd.
        headers[.cacheControl] = "no-cache"
        headers[.eTag] = validators.entityTag
        guard !validators.match(request.headers) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}

/// The headers of a page that is part of the program.
enum PageHeaders {
    /// No foreign or inline content, no text that becomes markup or script, no framing. `blob:` is for the pictures and
    /// videos of this server that a page has read with the user's token.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src blob:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    static let all: HTTPFields = {
        var headers: HTTPFields = [.contentSecurityPolicy: policy]
        headers[.referrerPolicy] = "no-referrer"
        headers[.openerPolicy] = "same-origin"
        headers[.resourcePolicy] = "same-origin"
        return headers
    }()
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = constant("Referrer-Policy")
    fileprivate static let openerPolicy = constant("Cross-Origin-Opener-Policy")
    fileprivate static let resourcePolicy = constant("Cross-Origin-Resource-Policy")
}
