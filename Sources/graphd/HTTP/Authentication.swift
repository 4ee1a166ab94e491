import Hummingbird
import Logging
import SocialGraph
import Timeline

/// Verifies the bearer token of every request behind it: signature, expiry, and that the user has not revoked it.
struct Authentication: RouterMiddleware {
    let tokens: TokenIssuer
    let sessions: TokenEpochs
    /// Counts refused tokens by peer address: what stands behind this counts users only.
    let rateLimit: RateLimit?

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            context.caller.identify(as: try await verifiedCaller(request))
        } catch let problem as Problem {
            try rateLimit?.admit(context)
            throw problem
        }
        return try await next(request, context)
    }

    private func verifiedCaller(_ request: Request) async throws -> Int64 {
        let verified = try await tokens.verify(BearerToken.require(in: request.headers))
        guard let epoch = try await sessions.epoch(of: UserID(rawValue: verified.userID)), verified.epoch >= epoch
        else {
            throw BearerToken.problem(.tokenInvalid, "This token has been revoked; log in again.")
        }
        return verified.userID
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
