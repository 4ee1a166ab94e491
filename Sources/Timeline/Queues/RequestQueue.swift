import Coordination
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

    func isKnown(_ request: Request) -> Bool { state.withLock { $0.known.contains(request) } }

    func request(_ request: Request) { _ = self.request(contentsOf: CollectionOfOne(request)) }

    /// Returns those of `requests` that are discarded.
    func request(contentsOf requests: some Collection<Request>) -> [Request] {
        var discarded: [Request] = []
        let hasNew = state.withLock { state in
            let before = state.waiting.count
            for request in requests where !state.known.contains(request) {
                if state.waiting.count < capacity {
                    state.known.insert(request)
                    state.waiting.append(request)
                } else {
                    discarded.append(request)
                }
            }
            return state.waiting.count > before
        }
        if hasNew { wakeup.signal() }
        return discarded
    }

    /// Handles requests until the task is cancelled, with `concurrency` concurrent calls of `body` for up to `atOnce`
    /// requests each. If fewer wait after a time without any, `pause` gives others time to come.
    func run(
        concurrency: Int, atOnce: Int, pausing pause: Duration = .zero,
        _ body: @escaping @Sendable ([Request]) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while !Task.isCancelled {
                if running == concurrency {
                    await group.next()
                    running -= 1
                }
                let requests = take(atOnce)
                if requests.isEmpty {
                    await wakeup.wait()
                    if pause > .zero, (1..<atOnce).contains(waiting) { try? await Task.sleep(for: pause) }
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

    private var waiting: Int { state.withLock { $0.waiting.count } }

    /// Takes up to `count` requests. Those that are not lost stay known.
    func take(_ count: Int, isLost: Bool = false) -> [Request] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            if isLost { state.known.subtract(taken) }
            return taken
        }
    }
}
