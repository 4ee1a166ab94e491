import Hummingbird

/// Refuses requests beyond the caller's rate with 429. It stands behind authentication, so that a user is counted as
/// such, and everybody else by peer address.
struct RateLimit: RouterMiddleware {
    let limiter: RateLimiter
    private let start = ContinuousClock.now

    init(limiter: RateLimiter) {
        self.limiter = limiter
    }

    func handle(
        _ request: Request,
        context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        let caller: RateLimiter.Caller =
            if let userID = context.caller.userID { .user(userID) } else { .address(context.peerAddress) }
        let now = Int64(start.duration(to: .now) / .nanoseconds(1))
        if case .refused(let seconds) = limiter.admit(caller, now: now) {
            throw Problem(
                .rateLimited, "Too many requests; try again in \(seconds) s.",
                headers: [.retryAfter: String(seconds)])
        }
        return try await next(request, context)
    }
}
