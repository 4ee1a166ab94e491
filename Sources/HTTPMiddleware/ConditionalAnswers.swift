import HTTPTypes
import Hummingbird
import NIOCore

/// Gives JSON answers to GET an `ETag`, and answers 304 if the client already has them (RFC 9110 §13.1.2).
///
/// It belongs around the routes: inside of it, HEAD has the body of GET.
package struct ConditionalAnswers<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.method == .get || request.method == .head, response.status == .ok, response.isPlainJSON else {
            return response
        }
        // An answer depends on its caller: no shared cache may keep it, and a client's own must ask each time.
        response.headers[.cacheControl] = "private, no-cache"
        guard let length = response.body.contentLength, ConditionalLimits.taggedBytes.contains(length) else {
            return response
        }
        let body = try await response.body.collected()
        let tag = EntityTag(of: body)
        response.headers[.eTag] = tag.text
        guard tag.matches(request.headers) != true else {
            response.headers[.contentType] = nil
            response.headers[.contentLength] = nil
            return Response(status: .notModified, headers: response.headers)
        }
        response.body = ResponseBody(byteBuffer: body)
        return response
    }
}

package enum ConditionalLimits {
    /// Lengths of bodies that get a tag: single resources and short lists. Longer pages are seldom the same twice.
    package static let taggedBytes = 1...16_384
}

extension Response {
    /// True for JSON that has no rules for caches of its own.
    fileprivate var isPlainJSON: Bool {
        headers[.eTag] == nil && headers[.cacheControl] == nil
            && headers[.contentType]?.utf8.starts(with: "application/json".utf8) == true
    }
}
