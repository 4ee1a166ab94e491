import DequeModule
import Dispatch
import Foundation
import Synchronization

/// Runs blocking work on its own threads: one piece for each thread at once, a limited number in a fair queue, the rest
/// refused.
///
/// Threads and not a dispatch queue: on Linux dispatch shares its few workers with Swift's cooperative pool, so two
/// hashes on two cores would stop every task of the server.
package final class BoundedWork: Sendable {
    private let gate: FairGate
    private let pieces = PieceQueue()
    private let threads: Int

    /// - Parameters:
    ///   - concurrent: threads, and `perHolder` of them for one holder at once.
    ///   - waiting: pieces that may wait.
    ///   - isCancellable: false if a piece runs even after its task is cancelled, as cleanup must.
    package init(label: String, concurrent: Int, perHolder: Int = .max, waiting: Int, isCancellable: Bool = true) {
        gate = FairGate(places: concurrent, perHolder: perHolder, waiting: waiting, isCancellable: isCancellable)
        threads = concurrent
        for index in 1...concurrent {
            let thread = Thread { [pieces] in pieces.serve() }
            thread.name = "\(label)-\(index)"
            thread.start()
        }
    }

    deinit {
        pieces.close(threads: threads)
    }

    /// Runs `body`, which continues to its end once it has begun. A task that is cancelled while it waits leaves the
    /// queue.
    ///
    /// - Throws: `Problem` 503 `busy` when too many wait already, `CancellationError`, and the errors of `body`.
    package func run<Value: Sendable>(
        for holder: BudgetHolder, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await run(for: WorkCaller(holder), body)
    }

    /// Same as ``run(for:_:)``, for a caller who may leave while it waits.
    package func run<Value: Sendable>(
        for caller: WorkCaller, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await gate.run(for: caller) {
            try await withCheckedThrowingContinuation { continuation in
                pieces.add { continuation.resume(with: Result { try body() }) }
            }
        }
    }

    /// Number of pieces of work that wait for their turn.
    var waitingCount: Int { gate.waitingCount }
}

/// The queue that the threads share. Holds no more pieces than there are threads.
private final class PieceQueue: Sendable {
    private let waiting = Mutex<Deque<@Sendable () -> Void>>([])
    /// Counts the waiting pieces, and one more for each thread that is to end.
    private let signal = DispatchSemaphore(value: 0)

    func add(_ piece: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(piece) }
        signal.signal()
    }

    /// Runs one thread. Ends when it is woken and nothing waits.
    func serve() {
        while true {
            signal.wait()
            guard let piece = waiting.withLock({ $0.popFirst() }) else { return }
            piece()
        }
    }

    func close(threads: Int) {
        for _ in 0..<threads { signal.signal() }
    }
}
