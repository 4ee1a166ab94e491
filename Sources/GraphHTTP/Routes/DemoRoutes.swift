import GraphServices
import Hummingbird

/// The demo page, a small app that uses nothing but `/v1`. It is served to anybody, since it contains no data: it signs
/// in with what the user types, and keeps the session in the browser's tab. There is no cookie.
struct DemoRoutes: Sendable {
    /// `GET /demo`: the page; a query is ignored
    @Sendable func page(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        DemoFiles.page.answer(to: request, headers: PageHeaders.all)
    }

    /// `GET /demo/{file}`: a file that the page loads
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard let file = DemoFiles.named[context.parameters.get("file") ?? ""] else {
            throw Problem(.notFound, "The demo page has no such file.")
        }
        return file.answer(to: request, headers: PageHeaders.all)
    }
}
