import Synchronization

/// Runs of one operation, shared by concurrent callers. Each caller gets the outcome of a run that began after its
/// call: one run that is under way delays it, and the next serves all who have come meanwhile. If a run fails after a
/// long time, these have waited as well, and its failure is theirs: they would wait as long again.
package final class SharedRuns: Sendable {
    private typealias Caller = CheckedContinuation<Result<Void, any Error>, Never>

    private struct State {
        var waiting: [Caller] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let patience: Duration

    /// - Parameter patience: the time from which on a run that fails has been long.
    package init(patience: Duration = .seconds(5)) { self.patience = patience }

    /// The number of callers whose run has not begun.
    package var waitingCount: Int { state.withLock(\.waiting.count) }

    /// True if no run is under way.
    package var isIdle: Bool { state.withLock { !$0.isRunning } }

    /// - Parameter operation: the same one at each call. It gets to know whether it runs for one caller, in the
    ///   caller's task.
    /// - Throws: what the operation throws, and an error of cancellation to a caller that has begun a run.
    package func join(_ operation: @escaping @Sendable (_ isAlone: Bool) async throws -> Void) async throws {
        if begins() { return try await runAlone(operation) }
        try await withCheckedContinuation { caller in
            // The run that was under way may have ended meanwhile.
            if begins({ $0.waiting.append(caller) }) { start(operation) }
        }.get()
    }

    /// Returns true for the caller that must begin a run.
    private func begins(_ note: (inout State) -> Void = { _ in }) -> Bool {
        state.withLock { state in
            note(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// A run for its caller alone, in the caller's task: handing it to another costs two switches of threads. Those who
    /// come meanwhile have runs of their own, so it may be cancelled.
    private func runAlone(_ operation: @escaping @Sendable (Bool) async throws -> Void) async throws {
        defer {
            let mustGoOn = state.withLock { state in
                state.isRunning = !state.waiting.isEmpty
                return state.isRunning
            }
            if mustGoOn { start(operation) }
        }
        let beginning = ContinuousClock.now
        do { try await operation(true) } catch {
            share(error, since: beginning)
            throw error
        }
    }

    private func start(_ operation: @escaping @Sendable (Bool) async throws -> Void) {
        // Owner: these runs, which end once nobody waits.
        Task.detached(priority: Task.currentPriority) { await self.run(operation) }
    }

    private func run(_ operation: @Sendable (Bool) async throws -> Void) async {
        while let callers = next() {
            let beginning = ContinuousClock.now
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await operation(false)) } catch {
                outcome = .failure(error)
                share(error, since: beginning)
            }
            for caller in callers { caller.resume(returning: outcome) }
        }
    }

    /// Ends the waiting of all for whom a run that has failed was too long, too.
    private func share(_ failure: any Error, since beginning: ContinuousClock.Instant) {
        guard !(failure is CancellationError), ContinuousClock.now - beginning >= patience else { return }
        let callers = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for caller in callers { caller.resume(returning: .failure(failure)) }
    }

    /// Returns the callers of the next run; nil if there are none.
    private func next() -> [Caller]? {
        state.withLock { state in
            defer { state.waiting = [] }
            state.isRunning = !state.waiting.isEmpty
            return state.isRunning ? state.waiting : nil
        }
    }
}
