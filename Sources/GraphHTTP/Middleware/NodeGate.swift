import GraphServices
import HTTPTypes
import Hummingbird
import SocialGraph
import Timeline

/// The state of a node when it lets a request pass.
package struct NodeConfirmation: Sendable {
    /// Age of what the answer shows; nil: it shows everything that was acknowledged before the request.
    var age: Duration?
    /// The window for the page that was asked for, if it was read meanwhile.
    var window: EarlyWindow?

    package static func current(_ window: EarlyWindow? = nil) -> NodeConfirmation { NodeConfirmation(window: window) }
    package static func stale(_ age: Duration) -> NodeConfirmation { NodeConfirmation(age: age) }
}

/// The first page of a home timeline.
package typealias FirstPage = (viewer: UserID, limit: Int)

/// Returns once the node sees what was acknowledged before the call, or knows that it may answer reads without the
/// primary. Meanwhile it may read the window for the page that the request probably asks for. Throws `Problem` 503
/// `not_current`.
package typealias ConfirmNode = @Sendable (_ isRead: Bool, FirstPage?) async throws -> NodeConfirmation

/// Lets a request pass once the node is known to be current, before anything is looked up for it. Questions about the
/// node itself are always answered.
struct NodeGate: RouterMiddleware {
    static let ungated: Set<String> = ["/healthz", "/readyz", "/metrics"]

    let confirm: ConfirmNode
    /// The user of a token, if it was seen before; it may not hold any more.
    let likelyUser: @Sendable (_ token: String) -> UserID?

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if Self.ungated.contains(request.uri.path) { return try await next(request, context) }
        let isRead = !StorageGate.changes(request.method, path: request.uri.path)
        let confirmation = try await confirm(isRead, likelyPage(request))
        if let window = confirmation.window {
            return try await EarlyWindow.$current.withValue(window) { try await next(request, context) }
        }
        var response = try await next(request, context)
        if let age = confirmation.age { response.headers[.staleSeconds] = "\(age.components.seconds)" }
        return response
    }

    /// The page that the request asks for, if its token still holds; nil: another, or one that is not known yet.
    private func likelyPage(_ request: Request) -> FirstPage? {
        guard request.method == .get, request.uri.path == "/v1/timelines/home",
            let token = try? BearerToken.find(in: request.headers), let user = likelyUser(token),
            var query = try? QueryParameters(request.uri.query), let limit = try? query.limit(),
            (try? query.end()) != nil
        else { return nil }
        return (user, limit)
    }
}

extension HTTPField.Name {
    /// Seconds since the node that answers was last in touch with the primary; absent: it is now.
    static let staleSeconds = constant("Stale-Seconds")
}
