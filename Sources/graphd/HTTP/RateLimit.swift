import HTTPTypes
import Hummingbird

/// Refuses requests beyond the caller's rate with 429. It stands behind authentication, so that a user is counted as
/// such, and everybody else by peer address.
struct RateLimit: RouterMiddleware {
    private let limiter: RateLimiter
    private let now: @Sendable () -> Int64

    /// - Parameter now: nanoseconds of a clock that never goes back.
    init(limiter: RateLimiter, now: @escaping @Sendable () -> Int64 = RateLimit.uptime) {
        self.limiter = limiter
        self.now = now
    }

    static let uptime: @Sendable () -> Int64 = {
        let start = ContinuousClock.now
        return { Int64(start.duration(to: .now) / .nanoseconds(1)) }
    }()

    func handle(
        _ request: Request,
        context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        try admit(context)
        return try await next(request, context)
    }

    /// - Throws: `Problem` 429 `rate_limited`.
    func admit(_ context: GraphRequestContext) throws {
        let caller: RateLimiter.Caller =
            if let userID = context.caller.userID { .user(userID) } else { .address(context.peerAddress) }
        if case .refused(let seconds) = limiter.admit(caller, now: now()) {
            throw Problem(
                .rateLimited, "Too many requests; try again in \(seconds) s.",
                headers: [.retryAfter: String(seconds)])
        }
    }
}
