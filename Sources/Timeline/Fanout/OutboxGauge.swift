import Synchronization

/// How much waits in the outbox. Counting takes as long as the outbox is, so a long one is counted once a second,
/// however often it is asked for.
final class OutboxGauge: Sendable {
    /// Jobs in the outbox up to which it is counted each time it is asked for.
    static let jobsCounted: Int64 = 10_000

    /// Jobs, and the creation of the oldest in milliseconds since 1970.
    typealias Depth = (pending: Int64, oldest: Int64?)

    private let last = Mutex<(depth: Depth, time: ContinuousClock.Instant)?>(nil)
    private let count: @Sendable () async throws -> Depth
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        count: @escaping @Sendable () async throws -> Depth,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.count = count
        self.now = now
    }

    func depth() async throws -> Depth {
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
