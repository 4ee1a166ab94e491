import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses answers to GET with gzip: JSON and text whose length is known, for clients that accept it.
///
/// Streams, ranges and media are sent as they are. Answers to other methods may contain new tokens, and are not
/// compressed either.
package struct Compression<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.method == .get || request.method == .head, response.isCompressible else { return response }
        response.headers.vary(by: "Accept-Encoding")
        guard request.method == .get, let length = response.body.contentLength,
            CompressionLimits.bytes.contains(length), AcceptEncoding.allowsGzip(request.headers)
        else { return response }
        let body = try await response.body.collected()
        guard let compressed = Gzip.compress(body), compressed.readableBytes < body.readableBytes else {
            response.body = ResponseBody(byteBuffer: body)
            return response
        }
        response.body = ResponseBody(byteBuffer: compressed)
        response.headers[.contentEncoding] = "gzip"
        // The bytes are others, so that a strong tag would be wrong.
        if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/" + tag }
        return response
    }
}

package enum CompressionLimits {
    /// Lengths of bodies worth compressing. A longer one would keep a thread busy, and no page is as long.
    package static let bytes = 1_024...1_048_576
}

extension Response {
    private static let types = [
        "application/json", "application/problem+json", "image/svg+xml", "text/css", "text/html", "text/javascript",
        "text/plain",
    ]

    /// True for an answer that is sent compressed to clients that accept it, and for 304 in place of one.
    fileprivate var isCompressible: Bool {
        guard headers[.contentEncoding] == nil, headers[.acceptRanges] == nil else { return false }
        if status == .notModified { return true }
        guard status.kind == .successful, status != .partialContent, let type = headers[.contentType] else {
            return false
        }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        return Self.types.contains { $0.utf8.elementsEqual(essence) }
    }
}
