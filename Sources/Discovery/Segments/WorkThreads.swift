import SocialGraph

/// Threads for work that takes long and never waits, apart from those that serve requests.
package protocol WorkThreads: Sendable {
    /// Runs `body`, which asks now and then whether anybody still waits for it. Users take turns.
    ///
    /// - Throws: what `body` throws; an error of the implementation's own where too much work waits.
    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value
}
