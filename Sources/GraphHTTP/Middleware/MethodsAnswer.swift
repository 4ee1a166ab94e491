import GraphServices
import HTTPTypes
import Hummingbird

/// Answers OPTIONS with the methods of the path, before authentication and limits: a browser sends it without a token.
struct MethodsAnswer: RouterMiddleware {
    let routes: RouteTable

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .options else { return try await next(request, context) }
        let methods = routes.methods(at: request.uri.path)
        guard !methods.isEmpty else { throw Problem(.notFound, "This server has no such path.") }
        return Response(
            status: .noContent, headers: [.allow: (methods + [.options]).map(\.rawValue).joined(separator: ", ")])
    }
}
