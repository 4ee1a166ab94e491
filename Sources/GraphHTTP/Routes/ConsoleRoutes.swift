import GraphServices
import HTTPTypes
import Hummingbird

/// The moderators' console. It is served to anybody, since it contains no data: it reads from `/v1` with the token of
/// the signed-in moderator, which it keeps in memory and sends in a header. Without cookies no other site can act for a
/// moderator.
struct ConsoleRoutes: Sendable {
    /// No foreign or inline content, no text that becomes markup or script, no framing. `blob:` is for the pictures and
    /// videos of this server that the page has read with the moderator's token.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src blob:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    /// `GET /console`: the sign-in page; a query is ignored
    @Sendable func page(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        answer(request, ConsoleAsset.page)
    }

    /// `GET /console/{file}`: a file that the page loads
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard let asset = ConsoleAsset.named[context.parameters.get("file") ?? ""] else {
            throw Problem(.notFound, "The console has no such file.")
        }
        return answer(request, asset)
    }

    private func answer(_ request: Request, _ asset: ConsoleAsset) -> Response {
        var headers: HTTPFields = [
            .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
            // Revalidated on each request, and sent in full only after an upgrade of graphd.
            .cacheControl: "no-cache", .eTag: asset.validators.entityTag,
        ]
        headers[.referrerPolicy] = "no-referrer"
        headers[.openerPolicy] = "same-origin"
        headers[.resourcePolicy] = "same-origin"
        guard !asset.validators.match(request.headers) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = asset.contentType
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: asset.body))
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = constant("Referrer-Policy")
    fileprivate static let openerPolicy = constant("Cross-Origin-Opener-Policy")
    fileprivate static let resourcePolicy = constant("Cross-Origin-Resource-Policy")

    private static func constant(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("a constant header name must be a valid one")
        }
        return name
    }
}
