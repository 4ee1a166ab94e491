import Testing

/// The limits of tests. They end what hangs, on a machine ten times slower than the one that was measured: each is at
/// least twenty times what the slowest test of its class takes there. Waiting for a turn is not counted: a test's clock
/// starts when it is one of the tests that run.
extension TimeLimitTrait.Duration {
    /// Tests that stay in their process.
    package static var unit: Self { .minutes(5) }

    /// Tests that start a redis-server, a graphd, a browser or another program.
    package static var process: Self { .minutes(20) }

    /// Long histories beside a model, very many inputs, and servers that are killed again and again.
    package static var model: Self { .minutes(40) }
}
