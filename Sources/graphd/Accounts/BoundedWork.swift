import Dispatch
import HTTPTypes
import Synchronization

/// Runs blocking work away from the cooperative pool: a fixed number of pieces at once, a limited number waiting, the
/// rest refused.
final class BoundedWork: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let queue: DispatchQueue
    private let concurrent: Int
    private let maxWaiting: Int
    private let state = Mutex(State())

    init(label: String, concurrent: Int, waiting: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        self.concurrent = concurrent
        maxWaiting = waiting
    }

    /// - Throws: `Problem` 503 `busy` when too many wait already, and what `body` throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let admitted = submit {
                continuation.resume(with: Result { try body() })
            }
            if !admitted {
                continuation.resume(
                    throwing: Problem(
                        .busy, "Too many requests of this kind are waiting; try again.",
                        headers: [.retryAfter: "1"]))
            }
        }
    }

    /// How many pieces wait for their turn.
    var waitingCount: Int {
        state.withLock { $0.waiting.count }
    }

    private func submit(_ piece: @escaping @Sendable () -> Void) -> Bool {
        let (admitted, startsNow) = state.withLock { state in
            if state.running < concurrent {
                state.running += 1
                return (true, true)
            }
            guard state.waiting.count < maxWaiting else {
                return (false, false)
            }
            state.waiting.append(piece)
            return (true, false)
        }
        if startsNow {
            start(piece)
        }
        return admitted
    }

    private func start(_ piece: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            piece()
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.waiting.isEmpty else {
                    state.running -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            if let next {
                start(next)
            }
        }
    }
}
