import Synchronization

/// Detects a write that a peer does not accept: a reader that has stopped reading must not hold a stream for ever.
final class WriteWatch: Sendable {
    private let started = Mutex<ContinuousClock.Instant?>(nil)

    func begin() { started.withLock { $0 = .now } }
    func end() { started.withLock { $0 = nil } }

    /// Closes the connection once a write has taken `limit`. Runs until the task is cancelled.
    func close(_ context: GraphRequestContext, ifAWriteTakes limit: Duration) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: limit / 4)
            let isStuck = started.withLock { $0.map { $0.duration(to: .now) > limit } ?? false }
            if isStuck { return context.closeConnection() }
        }
    }
}
