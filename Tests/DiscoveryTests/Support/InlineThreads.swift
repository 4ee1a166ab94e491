import SocialGraph

@testable import Discovery

/// Runs work on the caller's thread.
struct InlineThreads: WorkThreads {
    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        try body { false }
    }
}
