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
        do {
            let caller = try await callers.caller(of: request.headers)
            context.caller.identify(as: caller.user.rawValue, session: caller.session?.rawValue)
        } catch let problem as Problem {
            try rateLimit?.admit(context)
            throw problem
        }
        return try await next(request, context)
    }
}
