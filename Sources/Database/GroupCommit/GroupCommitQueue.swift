import Synchronization

/// The queue in front of the writer. A request that finds the writer idle starts a drain; requests that come while a
/// group is being committed go into the next group. (Group commit as in DeWitt et al., SIGMOD 1984.)
package final class GroupCommitQueue<Request: Sendable>: Sendable {
    private struct State {
        var waiting: [Request] = []
        var draining = false

        mutating func take(_ limit: Int) -> [Request] {
            let taken = Array(waiting.prefix(limit))
            waiting.removeFirst(taken.count)
            return taken
        }
    }

    private let state = Mutex(State())
    private let capacity: Int

    package init(capacity: Int) { self.capacity = capacity }

    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    package enum Admission { case startDrain, queued, full }

    package func submit(_ request: Request) -> Admission {
        state.withLock { state in
            guard state.waiting.count < capacity else { return .full }
            state.waiting.append(request)
            if state.draining { return .queued }
            state.draining = true
            return .startDrain
        }
    }

    /// Up to `limit` requests in order of arrival. Empty: the drain is over, and the next `submit` starts another.
    package func nextGroup(limit: Int) -> [Request] {
        state.withLock { state in
            let group = state.take(limit)
            if group.isEmpty { state.draining = false }
            return group
        }
    }

    /// Up to `limit` requests that have come since the last group was taken, to join it. The drain goes on.
    package func lateComers(limit: Int) -> [Request] { state.withLock { $0.take(limit) } }
}
