import Synchronization

/// Runs of one operation, shared by concurrent callers. Each caller gets the outcome of a run that began after its
/// call: one run that is under way delays it, and the next serves all who have come meanwhile.
package final class SharedRuns: Sendable {
    private typealias Caller = CheckedContinuation<Result<Void, any Error>, Never>

    private struct State {
        var waiting: [Caller] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of callers whose run has not begun.
    package var waitingCount: Int { state.withLock(\.waiting.count) }

    /// - Parameter operation: the same one at each call.
    /// - Throws: what the operation throws.
    package func join(_ operation: @escaping @Sendable () async throws -> Void) async throws {
        try await withCheckedContinuation { caller in
            let isFirst = state.withLock { state in
                state.waiting.append(caller)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            // Owner: these runs, which end once nobody waits.
            if isFirst { Task.detached { await self.run(operation) } }
        }.get()
    }

    private func run(_ operation: @Sendable () async throws -> Void) async {
        while let callers = next() {
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
            for caller in callers { caller.resume(returning: outcome) }
        }
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
