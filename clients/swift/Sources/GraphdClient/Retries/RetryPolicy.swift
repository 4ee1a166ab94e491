/// Decides whether a request is sent again, and when.
public struct RetryPolicy: Sendable {
    /// A kind of failure that may pass.
    public enum Cause: Sendable, CaseIterable {
        /// The connection failed, or an answer was cut off.
        case connection
        /// The server, or a proxy, cannot serve for a moment: 408, 502, 503 and 504.
        case unavailable
        /// A budget of the caller is used up: 429.
        case budget
    }

    /// How many times a request is sent at most. With 1, creations carry no idempotency key, unless the app gives one.
    public var maximumAttempts = 4
    /// The failures after which a request is sent again. A stream goes on after a lost connection in any case.
    public var causes = Set(Cause.allCases)
    /// The upper end of the first wait; it doubles with each repetition.
    public var firstWait = Duration.milliseconds(250)
    /// The upper end of every wait. A server that asks for more is not asked again, except for a stream that was open.
    public var longestWait = Duration.seconds(20)
    /// A number from 0 to 1, by which waits differ between clients.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }

    public init() {}

    /// A request that failed.
    enum Failure: Equatable {
        /// The connection failed, or an answer was cut off: the server may have acted.
        case unknownOutcome
        /// An error of the server, with the seconds of `Retry-After`.
        case answer(status: Int, code: ProblemCode?, retryAfter: Int?)
    }

    /// Refusals for a setup that only the operator can change.
    private static let lasting: Set<ProblemCode> = [.mailNotConfigured, .mediaNotShared]

    /// Returns the time to wait before the request is sent again, or nil if it is not.
    ///
    /// - Parameters:
    ///   - attempt: The number of times that the request has been sent, from 1.
    ///   - isRepeatable: Whether a second request has no second effect.
    func wait(after failure: Failure, attempt: Int, isRepeatable: Bool) -> Duration? {
        guard attempt < maximumAttempts, mayRepeat(failure, isRepeatable: isRepeatable) else { return nil }
        let own = backOff(attempt)
        guard case .answer(_, _, let seconds?) = failure else { return own }
        let asked = Duration.seconds(seconds)
        return asked <= longestWait ? max(own, asked) : nil
    }

    /// A random wait whose upper end doubles with each attempt.
    func backOff(_ attempt: Int) -> Duration {
        let ceiling = min(longestWait, firstWait * (1 << min(max(attempt - 1, 0), 20)))
        return ceiling * min(max(jitter(), 0), 1)
    }

    private func mayRepeat(_ failure: Failure, isRepeatable: Bool) -> Bool {
        switch failure {
        case .unknownOutcome: isRepeatable && causes.contains(.connection)
        // Refused by a budget before anything was done.
        case .answer(429, _, _): causes.contains(.budget)
        // A proxy may answer so after the server has acted.
        case .answer(let status, let code, _): isRepeatable && isUnavailable(status, code)
        }
    }

    /// Returns whether the server, or a proxy, cannot serve for a moment, and the app wants to try again then.
    func isUnavailable(_ status: Int, _ code: ProblemCode?) -> Bool {
        guard causes.contains(.unavailable) else { return false }
        return switch status {
        case 408, 502, 504: true
        case 503: code.map { !Self.lasting.contains($0) } ?? true
        default: false
        }
    }
}
