import Foundation

/// Repeats work that a lost connection has interrupted, with a growing delay, while the patience of the caller lasts.
struct Retry {
    private let deadline: ContinuousClock.Instant
    private let isClosed: () -> Bool
    private var delay = ReconnectDelay()

    /// - Parameter deadline: the end of the patience.
    init(until deadline: ContinuousClock.Instant, isClosed: @escaping () -> Bool) {
        self.deadline = deadline
        self.isClosed = isClosed
    }

    /// Waits until the next attempt, or throws `failure` if there is to be none.
    mutating func pause(after failure: any Error) throws {
        guard let passing = failure as? ServerFailure, passing.isPassing, !isClosed() else { throw failure }
        let pause = delay.next()
        guard ContinuousClock.now + pause < deadline else { throw failure }
        Thread.sleep(forTimeInterval: Double(pause.milliseconds) / 1_000)
    }

    func run<T>(_ body: () throws -> T) throws -> T {
        var retry = self
        while true {
            do { return try body() } catch { try retry.pause(after: error) }
        }
    }
}
