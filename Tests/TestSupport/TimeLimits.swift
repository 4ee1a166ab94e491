import Testing

/// The time limits of tests. They end hung tests on a machine ten times slower than the measured one: each is at least
/// twenty times what the slowest test of its class takes there. Waiting for a turn does not count, because a test's
/// clock starts when the test does.
extension TimeLimitTrait.Duration {
    /// Tests that stay in their process.
    package static var unit: Self { .minutes(5) }

    /// Tests that start other programs: a redis-server, a graphd, a browser.
    package static var process: Self { .minutes(20) }

    /// Long histories beside a model, very many inputs, and servers that are killed repeatedly.
    package static var model: Self { .minutes(40) }
}
