import Dispatch
import Synchronization

/// Asynchronous calls for code that blocks a thread of its own.
enum Waiting {
    /// Runs `body` and blocks until it is done. Never on a thread of Swift's pool, which `body` needs.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let (outcome, done) = (Outcome<Value>(), DispatchSemaphore(value: 0))
        // Owner: this call, which waits for it.
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("the task has ended") }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}
