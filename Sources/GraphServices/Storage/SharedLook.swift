import Synchronization

/// A look at something that may take its time, shared by all who ask while it lasts. Each of them waits for a limited
/// time only, so that probes neither pile up nor wait as long as requests do.
package final class SharedLook<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Result<Value, any Error>, Never>] = [:]
        var asked = 0
        var isUnderWay = false
    }

    private let limit: Duration?
    private let look: @Sendable () async throws -> Value
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the time that one who asks waits; nil: until the look has ended.
    ///   - look: looks.
    package init(atMost limit: Duration?, _ look: @escaping @Sendable () async throws -> Value) {
        self.limit = limit
        self.look = look
    }

    /// The outcome of the look that is under way, or of a new one.
    ///
    /// - Throws: what the look throws, or ``Unanswered``.
    package func value() async throws -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
            let (number, isFirst) = state.withLock { state in
                state.asked += 1
                state.waiting[state.asked] = continuation
                defer { state.isUnderWay = true }
                return (state.asked, !state.isUnderWay)
            }
            // Owner: this look, which ends with its outcome.
            if isFirst { Task.detached { await self.begin() } }
            if let limit { giveUp(number, after: limit) }
        }.get()
    }

    private func begin() async {
        let result: Result<Value, any Error>
        do { result = .success(try await look()) } catch { result = .failure(error) }
        let waiting = state.withLock { state in
            state.isUnderWay = false
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: result) }
    }

    private func giveUp(_ number: Int, after limit: Duration) {
        // Owner: this look; it ends by itself after the limit.
        Task.detached {
            try? await Task.sleep(for: limit)
            let waiting = self.state.withLock { $0.waiting.removeValue(forKey: number) }
            waiting?.resume(returning: .failure(Unanswered(limit: limit)))
        }
    }
}

/// There was no outcome in time.
package struct Unanswered: Error, CustomStringConvertible {
    let limit: Duration
    package var description: String { "there was no answer within \(limit)" }
}
