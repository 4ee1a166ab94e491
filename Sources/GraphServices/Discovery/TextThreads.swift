import Database
import Discovery
import SocialGraph
import Synchronization

/// The threads that read, write and index transcripts. Users take turns.
final class TextThreads: WorkThreads {
    /// Number of concurrent pieces of work.
    static let concurrent = 1
    /// Pieces of work that may wait.
    static let waiting = 64

    private let work = BoundedWork(
        label: "graphd.texts", concurrent: TextThreads.concurrent, waiting: TextThreads.waiting)

    /// - Throws: `Problem` 503 `busy` when too many wait already; `CancellationError`; the errors of `body`.
    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await work.run(for: .user(user.rawValue)) {
                if cancellation.isSet { throw CancellationError() }
                return try body { cancellation.isSet }
            }
        } onCancel: {
            cancellation.set()
        }
    }
}

/// Tells a thread that the task of its work was cancelled.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
