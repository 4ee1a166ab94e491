import SocialGraph

@testable import Discovery

/// Runs work on the caller's thread.
struct InlineThreads: WorkThreads {
    /// True if callers no longer wait for their work.
    var isCancelled = false

    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let isCancelled = isCancelled
        return try body { isCancelled }
    }
}
