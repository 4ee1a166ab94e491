import DequeModule
import Synchronization

/// A bounded queue of distinct requests with limited concurrency. Duplicate requests are coalesced. Requests beyond the
/// capacity are discarded; a caller that still needs one repeats it.
final class RequestQueue<Request: Hashable & Sendable>: Sendable {
    private struct State {
        var waiting: Deque<Request> = []
        /// Requests that are queued or in progress.
        var known: Set<Request> = []
    }

    private let state = Mutex(State())
    private let wakeup = Wakeup()
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// The number of requests that are queued or in progress.
    var pending: Int { state.withLock { $0.known.count } }

    func request(_ request: Request) {
        let isNew = state.withLock { state in
            guard state.waiting.count < capacity, state.known.insert(request).inserted else { return false }
            state.waiting.append(request)
            return true
        }
        if isNew { wakeup.signal() }
    }

    /// Handles requests until the task is cancelled, with `concurrency` concurrent calls of `body` for up to `atOnce`
    /// requests each.
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
