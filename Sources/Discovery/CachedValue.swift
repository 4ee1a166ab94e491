import SocialGraph
import Synchronization

/// Caches one value with a time to live; concurrent refreshes are coalesced. Until the value reaches twice its time to
/// live, callers get the former value without waiting.
final class CachedValue<Value: Sendable>: Sendable {
    private struct State {
        var kept: (value: Value, madeAt: Int64)?
        var making: Task<Value, any Error>?
    }

    private let state = Mutex(State())
    private let freshness: Int64
    private let clock: @Sendable () -> Int64
    private let make: @Sendable () async throws -> Value

    /// `freshness`: time to live in milliseconds. `clock`: milliseconds since 1970. Two calls of `make` never overlap.
    init(
        freshness: Int64, clock: @escaping @Sendable () -> Int64, make: @escaping @Sendable () async throws -> Value
    ) {
        self.freshness = freshness
        self.clock = clock
        self.make = make
    }

    /// Returns the value. Rethrows the errors of `make`; the next call tries again.
    func value() async throws -> Value {
        let now = clock()
        let (ready, making): (Value?, Task<Value, any Error>?) = state.withLock { state in
            // After the clock is set back, the age is negative and the value counts as stale.
            let age = state.kept.map { now - $0.madeAt } ?? .max
            if let kept = state.kept, (0..<freshness).contains(age) { return (kept.value, nil) }
            let making = state.making ?? start(now)
            state.making = making
            return ((0..<2 * freshness).contains(age) ? state.kept?.value : nil, making)
        }
        if let ready { return ready }
        guard let making else { throw CancellationError() }
        return try await making.value
    }

    /// Returns when no refresh is in progress.
    func waitForRefresh() async {
        _ = try? await state.withLock { $0.making }?.value
    }

    /// Starts a refresh in a task of its own: it serves all callers, even after the first has been cancelled.
    private func start(_ now: Int64) -> Task<Value, any Error> {
        let making = Task {
            do {
                let value = try await make()
                state.withLock { $0 = State(kept: (value, now), making: nil) }
                return value
            } catch {
                state.withLock { $0.making = nil }
                throw error
            }
        }
        return making
    }
}
