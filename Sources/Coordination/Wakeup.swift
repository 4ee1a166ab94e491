import Synchronization

/// A signal for one waiter. Signals without a waiter are coalesced into one and kept.
package final class Wakeup: Sendable {
    private enum State {
        case idle
        case signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)
    private let pace: Duration
    private let lastReturn = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter pace: The shortest time from one return of a wait to the next. A waiter that has to look at much for
    ///   each signal then looks once for many.
    package init(pace: Duration = .zero) { self.pace = pace }

    package func signal() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard case .waiting(let continuation) = state else {
                state = .signalled
                return nil
            }
            state = .idle
            return continuation
        }
        waiter?.resume()
    }

    /// Returns at a signal, after `limit`, or when the task is cancelled.
    package func wait(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns at a signal, or when the task is cancelled.
    package func wait() async {
        await keepPace()
        await waitForSignal()
        if pace > .zero, !Task.isCancelled { lastReturn.withLock { $0 = .now } }
    }

    private func keepPace() async {
        guard pace > .zero, let last = lastReturn.withLock({ $0 }) else { return }
        let next = last + pace
        if next > .now { try? await Task.sleep(until: next) }
    }

    private func waitForSignal() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .signalled = state {
                        state = .idle
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            // No signal has come, so none is left for the next waiter.
            let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard case .waiting(let continuation) = state else { return nil }
                state = .idle
                return continuation
            }
            waiter?.resume()
        }
    }
}
