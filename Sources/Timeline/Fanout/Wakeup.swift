import Synchronization

/// A signal for one waiter. Signals without a waiter are coalesced into one and kept.
package final class Wakeup: Sendable {
    private enum State {
        case idle
        case signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    package init() {}

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
            group.addTask { await self.waitForSignal() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
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
