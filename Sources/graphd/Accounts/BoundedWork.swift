import Dispatch
import Foundation
import HTTPTypes
import Synchronization

/// Runs blocking work on threads of its own: as many pieces at once as there are threads, a limited number waiting, the
/// rest refused.
///
/// Threads and not a dispatch queue: on Linux dispatch shares its few workers with Swift's cooperative pool, so two
/// hashes on two cores would stop every task of the server.
final class BoundedWork: Sendable {
    private let pieces: PieceQueue
    private let threads: Int

    init(label: String, concurrent: Int, waiting: Int) {
        let pieces = PieceQueue(limit: concurrent + waiting)
        for index in 1...concurrent {
            let thread = Thread { pieces.serve() }
            thread.name = "\(label)-\(index)"
            thread.start()
        }
        self.pieces = pieces
        threads = concurrent
    }

    deinit {
        pieces.close(threads: threads)
    }

    /// - Throws: `Problem` 503 `busy` when too many wait already, and what `body` throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let admitted = pieces.add {
                continuation.resume(with: Result { try body() })
            }
            if !admitted {
                let detail = "Too many requests of this kind are waiting; try again."
                continuation.resume(throwing: Problem(.busy, detail, headers: [.retryAfter: "1"]))
            }
        }
    }

    /// How many pieces wait for their turn.
    var waitingCount: Int {
        max(0, pieces.unfinishedCount - threads)
    }
}

/// The pieces of work that the threads share.
private final class PieceQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// Waiting or running.
        var unfinished = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    /// Counts the waiting pieces, and one more for each thread that is to end.
    private let signal = DispatchSemaphore(value: 0)

    init(limit: Int) {
        self.limit = limit
    }

    var unfinishedCount: Int {
        state.withLock { $0.unfinished }
    }

    func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
        let admitted = state.withLock { state in
            guard state.unfinished < limit else {
                return false
            }
            state.unfinished += 1
            state.waiting.append(piece)
            return true
        }
        if admitted {
            signal.signal()
        }
        return admitted
    }

    /// The life of one thread: ends when it is woken and nothing waits.
    func serve() {
        while true {
            signal.wait()
            guard let piece = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
                return
            }
            piece()
            state.withLock { $0.unfinished -= 1 }
        }
    }

    func close(threads: Int) {
        for _ in 0..<threads {
            signal.signal()
        }
    }
}
