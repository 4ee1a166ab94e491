import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Text

/// Refuses bodies with a content coding: a few compressed bytes could grow to any size.
package struct ContentCodingCheck: RouterMiddleware {
    package func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(request.headers)
        return try await next(request, context)
    }

    /// - Throws: `Problem` 415 `unsupported_media_type`.
    package static func check(_ headers: HTTPFields) throws {
        for coding in headers[values: .contentEncoding] where coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType,
                "The body has the content coding \"\(coding.echoed)\"; this server reads bodies without one only.",
                field: "Content-Encoding", advice: [.noCoding])
        }
    }
}
