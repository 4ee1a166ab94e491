import HTTPMiddleware
import HTTPTypes
import Hummingbird

/// The description of the API, for anybody.
struct ReferenceRoutes: Sendable {
    /// `GET /openapi.yaml`: the description of the API
    @Sendable func document(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var response = ReferenceFiles.document.answer(to: request)
        response.headers[.vary] = "Accept-Encoding"
        let compressed = ReferenceFiles.compressedDocument
        guard compressed.readableBytes > 0, AcceptEncoding.allowsGzip(request.headers) else { return response }
        response.headers[.eTag] = response.headers[.eTag].map { "W/" + $0 }
        guard response.status == .ok else { return response }
        response.headers[.contentEncoding] = "gzip"
        response.body = .init(byteBuffer: compressed)
        return response
    }
}
