import Synchronization

/// A token bucket for each caller.
///
/// A bucket is kept as one instant, the one at which it will be full again (the generic cell rate algorithm): it is
/// full if that has passed, and each request moves it on by what one token takes to come back.
final class RateLimiter: Sendable {
    enum Caller: Hashable, Sendable {
        case user(Int64)
        case address(String)
    }

    enum Decision: Equatable, Sendable {
        case allowed
        /// Refused; whole seconds, at least 1, after which a request will be let through.
        case refused(retryAfterSeconds: Int64)
    }

    private let nanosecondsPerToken: Int64
    private let nanosecondsToFill: Int64
    private let fullAgain: Mutex<TwoGenerationMap<Caller, Int64>>

    /// - Parameters:
    ///   - perSecond: requests a caller may make each second in the long run; at least 1.
    ///   - burst: requests a caller may make at once after a pause; `perSecond` unless given.
    ///   - capacity: callers remembered; at most twice as many.
    init(perSecond: Int, burst: Int? = nil, capacity: Int = 65_536) {
        precondition(perSecond > 0, "a rate limit of 0 means that there is no rate limiter")
        nanosecondsPerToken = 1_000_000_000 / Int64(perSecond)
        nanosecondsToFill = nanosecondsPerToken * Int64(max(burst ?? perSecond, 1))
        fullAgain = Mutex(TwoGenerationMap(capacity: capacity))
    }

    /// - Parameter now: nanoseconds of a clock that never goes back.
    func admit(_ caller: Caller, now: Int64) -> Decision {
        fullAgain.withLock { buckets in
            let next = max(buckets[caller] ?? now, now) + nanosecondsPerToken
            let wait = next - now - nanosecondsToFill
            guard wait <= 0 else {
                return .refused(retryAfterSeconds: (wait + 999_999_999) / 1_000_000_000)
            }
            buckets[caller] = next
            return .allowed
        }
    }
}
