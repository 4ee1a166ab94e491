import HTTPTypes
import Hummingbird

/// Lets pages of other origins read answers (CORS, Fetch Standard §3.2). The outermost middleware, so that errors carry
/// the headers too.
///
/// Credentials are never allowed: callers identify themselves with a header of their own, and a browser adds nothing.
package struct CrossOrigin<Context: RequestContext>: RouterMiddleware {
    let origins: AllowedOrigins

    package init(_ origins: AllowedOrigins) { self.origins = origins }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if origins != .any { response.headers.vary(by: "Origin") }
        let origin = request.headers[values: .origin]
        guard origin.count == 1, let answer = origins.answer(to: origin[0]) else { return response }
        response.headers[.accessControlAllowOrigin] = answer
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            // The answer to OPTIONS lists the methods of the path.
            response.headers[.accessControlAllowMethods] = response.headers[.allow]
            response.headers[.accessControlAllowHeaders] = CrossOriginHeaders.allowed
            response.headers[.accessControlMaxAge] = CrossOriginHeaders.maxAge
        } else {
            response.headers[.accessControlExposeHeaders] = CrossOriginHeaders.exposed
        }
        return response
    }
}

/// The headers beyond those that every page may send and read.
package enum CrossOriginHeaders {
    /// Headers that a page may send.
    package static let allowed = [
        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match",
        "If-Range", "Last-Event-ID", "Range", "X-Request-Id",
    ].joined(separator: ", ")

    /// Headers that a page may read.
    package static let exposed = [
        "Accept-Ranges", "Allow", "Content-Disposition", "Content-Range", "Deprecation", "ETag", "Idempotent-Replayed",
        "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "WWW-Authenticate",
        "X-Next-Cursor", "X-Request-Id",
    ].joined(separator: ", ")

    /// Seconds for which a browser may remember the answer to a preflight: the longest that Chromium accepts.
    static let maxAge = "7200"
}

extension HTTPFields {
    /// Adds a name to `Vary`, unless it is there.
    mutating func vary(by name: String) {
        let names = self[values: .vary].flatMap { $0.split(separator: ",") }
        let isThere = names.contains { $0.drop { $0 == " " }.lowercased() == name.lowercased() }
        if !isThere { self[.vary] = (names.map { String($0.drop { $0 == " " }) } + [name]).joined(separator: ", ") }
    }
}
