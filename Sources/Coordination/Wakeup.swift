import Synchronization

/// A signal for one waiter. Signals without a waiter are coalesced into one and kept.
package final class Wakeup: Sendable {
    private typealias Instant = ContinuousClock.Instant

    private enum Signal {
        case none
        case given
        case awaited(CheckedContinuation<Void, Never>)
    }

    /// A task that ends waits by their limits. It goes on from one wait to the next, because a task for each would cost
    /// more than all else.
    private struct Alarm {
        let task: Task<Void, Never>
        /// The time at which it looks next.
        var time: Instant
    }

    private struct State {
        var signal = Signal.none
        /// The end of the wait that is under way; nil: it has none.
        var deadline: Instant?
        var alarm: Alarm?
        /// The last return of a wait, if there is a pace.
        var lastReturn: Instant?

        /// Returns the waiter, to be resumed. No signal has come, so none is left for the next one.
        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard case .awaited(let continuation) = signal else { return nil }
            signal = .none
            return continuation
        }
    }

    private let state = Mutex(State())
    private let pace: Duration

    /// - Parameter pace: The shortest time from one return of a wait to the next. A waiter that has to look at much for
    ///   each signal then looks once for many.
    package init(pace: Duration = .zero) { self.pace = pace }

    deinit { state.withLock { $0.alarm?.task.cancel() } }

    package func signal() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard case .awaited(let continuation) = state.signal else {
                state.signal = .given
                return nil
            }
            state.signal = .none
            return continuation
        }
        waiter?.resume()
    }

    /// Returns at a signal, after `limit`, or when the task is cancelled.
    package func wait(atMost limit: Duration) async { await wait(until: .now + limit) }

    /// Returns at a signal, or when the task is cancelled.
    package func wait() async { await wait(until: nil) }

    private func wait(until deadline: Instant?) async {
        await keepPace(until: deadline)
        if let deadline { setAlarm(for: deadline) }
        await waitForSignal()
        state.withLock { state in
            state.deadline = nil
            if pace > .zero, !Task.isCancelled { state.lastReturn = .now }
        }
    }

    private func keepPace(until deadline: Instant?) async {
        guard pace > .zero, let last = state.withLock(\.lastReturn) else { return }
        let next = min(last + pace, deadline ?? last + pace)
        if next > .now { try? await Task.sleep(until: next) }
    }

    private func waitForSignal() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .given = state.signal {
                        state.signal = .none
                        return true
                    }
                    if Task.isCancelled || state.deadline.map({ $0 <= .now }) == true { return true }
                    state.signal = .awaited(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.takeWaiter() }
            waiter?.resume()
        }
    }

    // MARK: The alarm

    private func setAlarm(for deadline: Instant) {
        state.withLock { state in
            state.deadline = deadline
            if let alarm = state.alarm {
                if alarm.time <= deadline { return }
                alarm.task.cancel()
            }
            // Owner: this wakeup, whose end cancels it.
            let task = Task.detached { [weak self] in
                var next: Instant? = deadline
                while let time = next {
                    do { try await Task.sleep(until: time) } catch { return }
                    next = self?.ring()
                }
            }
            state.alarm = Alarm(task: task, time: deadline)
        }
    }

    /// Ends the wait that is under way if its time has come. Returns the time to look next; nil: never.
    private func ring() -> Instant? {
        let (waiter, next) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Instant?) in
            if let deadline = state.deadline, deadline > .now {
                state.alarm?.time = deadline
                return (nil, deadline)
            }
            state.alarm = nil
            // A wait that is about to begin finds out by itself.
            return (state.deadline == nil ? nil : state.takeWaiter(), nil)
        }
        waiter?.resume()
        return next
    }
}
