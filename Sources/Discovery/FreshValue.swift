import SocialGraph
import Synchronization

/// A value that is made anew when somebody asks for it and it has grown old: once, however many ask. Until it has
/// grown twice as old, those who ask are given the former value and do not wait.
final class FreshValue<Value: Sendable>: Sendable {
    private struct State {
        var kept: (value: Value, madeAt: Int64)?
        var making: Task<Value, any Error>?
    }

    private let state = Mutex(State())
    private let freshness: Int64
    private let clock: @Sendable () -> Int64
    private let make: @Sendable () async throws -> Value

    /// `freshness`: milliseconds. `clock`: milliseconds since 1970. `make` is never run twice at a time.
    init(
        freshness: Int64, clock: @escaping @Sendable () -> Int64, make: @escaping @Sendable () async throws -> Value
    ) {
        self.freshness = freshness
        self.clock = clock
        self.make = make
    }

    /// Throws what making it has thrown; the next to ask tries again.
    func value() async throws -> Value {
        let now = clock()
        let (ready, making): (Value?, Task<Value, any Error>?) = state.withLock { state in
            // A clock that was set back makes nothing fresh.
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

    /// Returns when nothing is being made.
    func settle() async {
        _ = try? await state.withLock { $0.making }?.value
    }

    /// A task of its own: it serves all who ask, also when the first of them has gone.
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
