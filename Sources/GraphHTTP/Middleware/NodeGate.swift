import GraphServices
import Hummingbird

/// Lets a request pass once the node is known to be current, before anything is looked up for it. Questions about the
/// node itself are always answered.
struct NodeGate: RouterMiddleware {
    static let ungated: Set<String> = ["/healthz", "/readyz", "/metrics"]

    /// Returns once the node sees what was acknowledged before the request came. Throws `Problem` 503 `not_current`.
    let confirm: @Sendable () async throws -> Void

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if !Self.ungated.contains(request.uri.path) { try await confirm() }
        return try await next(request, context)
    }
}
