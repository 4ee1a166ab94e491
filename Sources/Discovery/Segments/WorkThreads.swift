import SocialGraph

/// Threads for long work that never waits, separate from those that serve requests.
package protocol WorkThreads: Sendable {
    /// Runs `body`, which should check now and then whether its caller still waits. Users take turns.
    ///
    /// - Throws: the errors of `body`, and an error of the implementation if too much work is queued.
    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value
}
