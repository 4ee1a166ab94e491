import GraphServices
import Hummingbird

/// The moderators' console. It is served to anybody, since it contains no data: it reads from `/v1` with the token of
/// the signed-in moderator, which it keeps in memory and sends in a header. Without cookies no other site can act for a
/// moderator.
struct ConsoleRoutes: Sendable {
    /// `GET /console`: the sign-in page; a query is ignored
    @Sendable func page(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        ConsoleFiles.page.answer(to: request, headers: PageHeaders.all)
    }

    /// `GET /console/{file}`: a file that the page loads
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard let file = ConsoleFiles.named[context.parameters.get("file") ?? ""] else {
            throw Problem(.notFound, "The console has no such file.")
        }
        return file.answer(to: request, headers: PageHeaders.all)
    }
}
