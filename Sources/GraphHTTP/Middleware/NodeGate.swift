import GraphServices
import HTTPTypes
import Hummingbird

/// Returns nil once the node sees what was acknowledged before the call. Of a node that may answer reads without the
/// primary, it returns the age of what they show. Throws `Problem` 503 `not_current`.
package typealias NodeConfirmation = @Sendable (_ isRead: Bool) async throws -> Duration?

/// Lets a request pass once the node is known to be current, before anything is looked up for it. Questions about the
/// node itself are always answered.
struct NodeGate: RouterMiddleware {
    static let ungated: Set<String> = ["/healthz", "/readyz", "/metrics"]

    let confirm: NodeConfirmation

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if Self.ungated.contains(request.uri.path) { return try await next(request, context) }
        let isRead = !StorageGate.changes(request.method, path: request.uri.path)
        guard let age = try await confirm(isRead) else { return try await next(request, context) }
        var response = try await next(request, context)
        response.headers[.staleSeconds] = "\(age.components.seconds)"
        return response
    }
}

extension HTTPField.Name {
    /// Seconds since the node that answers was last in touch with the primary; absent: it is now.
    static let staleSeconds = constant("Stale-Seconds")
}
