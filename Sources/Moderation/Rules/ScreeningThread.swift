import Database
import DequeModule
import Dispatch
import SocialGraph
import Synchronization

/// A thread for long judgements, separate from the threads that serve requests. Scopes take turns, so that the rules of
/// one community delay no other. Each scope has a bounded queue.
final class ScreeningThread: Sendable {
    /// Maximum number of queued judgements of one scope.
    static let waitingPerScope = 64

    private struct State {
        var waiting: [Int64: Deque<@Sendable () -> Void>] = [:]
        /// Scopes with queued work, in the order of their turns.
        var turns: Deque<Int64> = []
        var isBusy = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "graphd.screening", qos: .utility)

    /// - Throws: ``DatabaseError/busy`` if the scope already has ``ScreeningThread/waitingPerScope`` queued judgements.
    func run<Value: Sendable>(
        for scope: Int64, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = enqueue(scope) { continuation.resume(with: Result(catching: body)) }
            if !isTaken { continuation.resume(throwing: DatabaseError.busy) }
        }
    }

    /// Returns the number of queued judgements of `scope`.
    func waiting(for scope: Int64) -> Int { state.withLock { $0.waiting[scope]?.count ?? 0 } }

    private func enqueue(_ scope: Int64, _ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isIdle) = state.withLock { state in
            let count = state.waiting[scope]?.count ?? 0
            guard count < Self.waitingPerScope else { return (false, false) }
            if count == 0 { state.turns.append(scope) }
            state.waiting[scope, default: []].append(work)
            defer { state.isBusy = true }
            return (true, !state.isBusy)
        }
        if isIdle { queue.async { self.work() } }
        return isTaken
    }

    private func work() {
        while let next = takeNext() { next() }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let scope = state.turns.first, let work = state.waiting[scope]?.first else {
                state.isBusy = false
                return nil
            }
            state.turns.removeFirst()
            state.waiting[scope]?.removeFirst()
            if state.waiting[scope]?.isEmpty == true {
                state.waiting[scope] = nil
            } else {
                state.turns.append(scope)
            }
            return work
        }
    }
}
