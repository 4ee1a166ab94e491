import GraphServices
import Hummingbird

/// A page that is part of the program, with the files that it loads. It is served to anybody, since it contains no
/// data: what it shows, it reads from `/v1` with a token that it keeps itself. Without cookies no other site can act
/// for its user.
struct EmbeddedSite: Sendable {
    let page: EmbeddedFile
    /// The files that the page loads, by name.
    let named: [String: EmbeddedFile]
    /// The page as it is called in messages.
    private let name: String

    init(_ name: String, _ page: EmbeddedFile, files: [EmbeddedFile]) {
        self.name = name
        self.page = page
        named = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
    }

    /// Answers a request for the page; a query is ignored.
    @Sendable func page(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        page.answer(to: request, headers: PageHeaders.all)
    }

    /// Answers a request for `{file}`, which the page loads.
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard let file = named[context.parameters.get("file") ?? ""] else {
            throw Problem(.notFound, "\(name) has no such file.")
        }
        return file.answer(to: request, headers: PageHeaders.all)
    }
}
