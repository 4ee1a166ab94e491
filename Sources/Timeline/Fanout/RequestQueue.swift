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

    /// Does the work, `concurrency` requests at a time, until the task is cancelled.
    func run(concurrency: Int, _ body: @escaping @Sendable (Request) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                guard let request = state.withLock({ $0.waiting.popFirst() }) else {
                    await wakeup.wait(atMost: .seconds(1))
                    continue
                }
                if running == concurrency {
                    await group.next()
                    running -= 1
                }
                group.addTask {
                    await body(request)
                    self.state.withLock { _ = $0.known.remove(request) }
                }
                running += 1
            }
        }
    }
}
