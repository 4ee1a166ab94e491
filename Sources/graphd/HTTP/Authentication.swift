import Hummingbird
import Logging
import SocialGraph
import Timeline

/// Verifies the bearer token of every request behind it: signature, expiry, and that the user has not revoked it.
struct Authentication: RouterMiddleware {
    let tokens: TokenIssuer
    let sessions: TokenEpochs

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        let verified = try await tokens.verify(BearerToken.require(in: request.headers))
        guard let epoch = try await sessions.epoch(of: UserID(rawValue: verified.userID)), verified.epoch >= epoch else {
            throw BearerToken.problem(.tokenInvalid, "This token has been revoked; log in again.")
        }
        context.caller.identify(as: verified.userID)
        return try await next(request, context)
    }
}

/// The epoch that a user's tokens must carry, remembered for recent callers.
struct TokenEpochs: Sendable {
    private let graph: GraphStore
    private let known = VersionedCache<UserID, Int>(capacity: 200_000)

    init(graph: GraphStore) { self.graph = graph }

    /// Nil: there is no such user.
    func epoch(of user: UserID) async throws -> Int? {
        if let epoch = known.value(for: user) { return epoch }
        let load = known.beginLoad()
        guard let epoch = try await graph.tokenEpoch(user) else { return nil }
        known.finish(load, user, Int(epoch))
        return Int(epoch)
    }
}
