import Hummingbird
import Logging
import SocialGraph

/// Verifies the bearer token of every request behind it: signature, expiry, and that neither its session nor its user
/// has ended it.
struct Authentication: RouterMiddleware {
    let callers: CallerVerifier
    /// Counts refused tokens by peer address: what stands behind this counts users only.
    let rateLimit: RateLimit?

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        try await identify(context) { try await callers.caller(of: request.headers) }
        return try await next(request, context)
    }

    /// The caller of a request that does without a token as well; nil: it has none.
    ///
    /// - Throws: `Problem` 401 for a token that is not valid.
    func callerIfGiven(_ request: Request, _ context: GraphRequestContext) async throws -> UserID? {
        try await identify(context) { try await callers.callerIfAny(of: request.headers) }
        return context.caller.userID.map(UserID.init(rawValue:))
    }

    private func identify(
        _ context: GraphRequestContext, _ verify: () async throws -> VerifiedCaller?
    ) async throws {
        do {
            guard let caller = try await verify() else { return }
            context.caller.identify(as: caller.user.rawValue, session: caller.session?.rawValue)
        } catch let problem as Problem {
            try rateLimit?.admit(context)
            throw problem
        }
    }
}
