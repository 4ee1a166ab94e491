import Synchronization

/// Admits a number of tasks at once. The others wait in a ``FairQueue``, which a cancelled task leaves.
package final class FairGate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var free: Int
        var running: [BudgetHolder: Int] = [:]
        var queue: FairQueue<Waiter>
        var tickets: FairQueue<Waiter>.Ticket = 0

        /// Admits `holder` if a place is free. Invariant: no place is free while a task waits that could take it.
        mutating func enter(_ holder: BudgetHolder, _ perHolder: Int) -> Bool {
            guard free > 0, running[holder, default: 0] < perHolder else { return false }
            free -= 1
            running[holder, default: 0] += 1
            return true
        }
    }

    private let perHolder: Int
    private let isCancellable: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - places: tasks inside at once, and `perHolder` of them of one holder.
    ///   - waiting: tasks that may wait.
    ///   - isCancellable: false if a task has its turn even after it is cancelled.
    package init(places: Int, perHolder: Int = .max, waiting: Int, isCancellable: Bool = true) {
        self.isCancellable = isCancellable
        self.perHolder = perHolder
        state = Mutex(State(free: places, queue: FairQueue(capacity: waiting)))
    }

    /// Number of waiting callers.
    var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Runs `body` when it is the turn of `holder`.
    ///
    /// - Throws: `Problem` 503 `busy` when too many wait; `CancellationError`; the errors of `body`.
    package func run<Value>(for holder: BudgetHolder, _ body: () async throws -> Value) async throws -> Value {
        try await run(for: WorkCaller(holder), body)
    }

    /// Same as ``run(for:_:)``, for a caller who may leave while it waits.
    package func run<Value>(for caller: WorkCaller, _ body: () async throws -> Value) async throws -> Value {
        let holder = caller.holder
        if !enterAtOnce(holder) { try await caller.whileThere { try await self.wait(holder) } }
        defer { leave(holder) }
        return try await body()
    }

    private func enterAtOnce(_ holder: BudgetHolder) -> Bool {
        if isCancellable, Task.isCancelled { return false }
        return state.withLock { $0.enter(holder, perHolder) }
    }

    private func wait(_ holder: BudgetHolder) async throws {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in admit(waiter, ticket, holder) }
        } onCancel: {
            guard isCancellable else { return }
            let waiter = state.withLock { $0.queue.remove(ticket, of: holder) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func admit(_ waiter: Waiter, _ ticket: FairQueue<Waiter>.Ticket, _ holder: BudgetHolder) {
        let (refused, error): (Waiter?, any Error) = state.withLock { state in
            // A cancellation from here on finds the ticket in the queue.
            if isCancellable, Task.isCancelled { return (waiter, CancellationError()) }
            if state.enter(holder, perHolder) {
                waiter.resume()
                return (nil, Problem.queueIsFull)
            }
            switch state.queue.add(waiter, ticket: ticket, of: holder) {
            case .queued: return (nil, Problem.queueIsFull)
            case .replaced(let other): return (other, Problem.queueIsFull)
            case .refused: return (waiter, Problem.queueIsFull)
            }
        }
        refused?.resume(throwing: error)
    }

    private func leave(_ holder: BudgetHolder) {
        let next: Waiter? = state.withLock { state in
            let running = state.running[holder, default: 1] - 1
            state.running[holder] = running == 0 ? nil : running
            guard let next = state.queue.next(where: { state.running[$0, default: 0] < perHolder }) else {
                state.free += 1
                return nil
            }
            state.running[next.holder, default: 0] += 1
            return next.piece
        }
        next?.resume()
    }
}
