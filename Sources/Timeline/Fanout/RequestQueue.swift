import DequeModule
import Synchronization

/// Requests for work that somebody does a few at a time: the same request twice is one, and where too many wait, more
/// are forgotten; whoever still needs it asks again.
final class RequestQueue<Request: Hashable & Sendable>: Sendable {
    private struct State {
        var waiting: Deque<Request> = []
        /// Waiting or under way.
        var known: Set<Request> = []
    }

    private let state = Mutex(State())
    private let wakeup = Wakeup()
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// Waiting or under way.
    var pending: Int { state.withLock { $0.known.count } }

    func request(_ request: Request) {
        let isNew = state.withLock { state in
            guard state.waiting.count < capacity, state.known.insert(request).inserted else { return false }
            state.waiting.append(request)
            return true
        }
        if isNew { wakeup.signal() }
    }

    /// Does the work until the task is cancelled: `concurrency` calls of `body` at a time, of up to `atOnce` requests
    /// each.
    func run(concurrency: Int, atOnce: Int, _ body: @escaping @Sendable ([Request]) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                if running == concurrency {
                    await group.next()
                    running -= 1
                }
                let requests = take(atOnce)
                if requests.isEmpty {
                    await wakeup.wait(atMost: .seconds(1))
                    continue
                }
                group.addTask {
                    await body(requests)
                    self.state.withLock { $0.known.subtract(requests) }
                }
                running += 1
            }
        }
    }

    private func take(_ count: Int) -> [Request] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            return taken
        }
    }
}
