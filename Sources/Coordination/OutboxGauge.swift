import Synchronization

/// Measures the length of the outbox. The cost of counting grows with the length, so a long outbox is counted at most
/// once a second, regardless of the number of callers.
package final class OutboxGauge: Sendable {
    /// Length up to which the outbox is counted at each call.
    package static let jobsCounted: Int64 = 10_000

    /// The number of jobs, and the creation time of the oldest in milliseconds since 1970.
    package typealias Depth = (pending: Int64, oldest: Int64?)

    private let last = Mutex<(depth: Depth, time: ContinuousClock.Instant)?>(nil)
    private let count: @Sendable () async throws -> Depth
    private let now: @Sendable () -> ContinuousClock.Instant

    package init(
        count: @escaping @Sendable () async throws -> Depth,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.count = count
        self.now = now
    }

    package func depth() async throws -> Depth {
        let time = now()
        let known = last.withLock { last -> Depth? in
            guard let last, last.depth.pending > Self.jobsCounted else { return nil }
            return last.time.duration(to: time) < .seconds(1) ? last.depth : nil
        }
        if let known { return known }
        let depth = try await count()
        last.withLock { $0 = (depth, time) }
        return depth
    }
}
