/// Exponential back-off with full jitter: attempt n waits a random time up to `minimum * 2^n`, at most `maximum`.
package struct RedisBackoff: Sendable, Equatable {
    package var minimum: Duration
    package var maximum: Duration

    package init(minimum: Duration, maximum: Duration) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The longest wait before attempt `attempt` (0 is the first repetition).
    package func ceiling(attempt: Int) -> Duration {
        min(maximum, minimum * (1 << min(attempt, 30)))
    }

    func delay(attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        ceiling(attempt: attempt) * Double.random(in: 0...1, using: &generator)
    }

    func delay(attempt: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(attempt: attempt, using: &generator)
    }
}
