import Synchronization

/// A time since boot that a test moves, and the pauses of nodes in it. A node that is stopped does not wake.
final class SimulatedTime: Sendable {
    private struct Sleeper {
        let node: Int
        let end: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Int64 = 0
        var stopped: Set<Int> = []
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Pauses that were cancelled before they began.
        var cancelled: Set<Int> = []

        mutating func takeDue() -> [Sleeper] {
            let due = sleepers.filter { $0.value.end <= now && !stopped.contains($0.value.node) }
            for number in due.keys { sleepers[number] = nil }
            return Array(due.values)
        }
    }

    private let state = Mutex(State())

    var now: Int64 { state.withLock { $0.now } }

    func advance(by milliseconds: Int64) { wake { $0.now += milliseconds } }

    func stop(_ node: Int) { wake { $0.stopped.insert(node) } }

    func resume(_ node: Int) { wake { $0.stopped.remove(node) } }

    func isStopped(_ node: Int) -> Bool { state.withLock { $0.stopped.contains(node) } }

    /// Waits until the time has come and the node runs.
    ///
    /// - Throws: `CancellationError`; also that is found only by a node that runs.
    func pause(_ node: Int, for milliseconds: Int64) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wake { state in
                    let isCancelled = state.cancelled.remove(number) != nil
                    let end = isCancelled ? state.now : state.now + milliseconds
                    state.sleepers[number] = Sleeper(node: node, end: end, continuation: continuation)
                }
            }
        } onCancel: {
            wake { state in
                guard let sleeper = state.sleepers[number] else {
                    state.cancelled.insert(number)
                    return
                }
                state.sleepers[number] = Sleeper(node: node, end: state.now, continuation: sleeper.continuation)
            }
        }
        try Task.checkCancellation()
    }

    private func wake(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            return state.takeDue()
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
