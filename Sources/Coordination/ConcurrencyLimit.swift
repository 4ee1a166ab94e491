import DequeModule
import Synchronization

/// Limits the number of concurrent operations. Waiters are admitted in order of arrival.
package final class ConcurrencyLimit: Sendable {
    private struct State {
        var free: Int
        var waiting: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let state: Mutex<State>

    package init(_ limit: Int) { state = Mutex(State(free: limit)) }

    /// The number of waiters; nil while there is a free place.
    package var waiting: Int? { state.withLock { $0.free > 0 ? nil : $0.waiting.count } }

    package func run<T: Sendable>(_ body: () async throws -> T) async rethrows -> T {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the place to the longest waiter.
    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
