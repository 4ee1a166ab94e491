/// Exponential back-off with full jitter: the delay before attempt n is a random time up to 10 ms · 2^n, at most half a
/// second.
struct ReconnectDelay {
    private var attempt = 0

    mutating func next() -> Duration {
        let ceiling = min(Duration.milliseconds(500), .milliseconds(10) * (1 << min(attempt, 10)))
        attempt += 1
        return ceiling * Double.random(in: 0...1)
    }
}
