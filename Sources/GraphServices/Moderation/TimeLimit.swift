/// Work that is cancelled when it takes too long.
enum TimeLimit {
    struct Exceeded: Error, CustomStringConvertible {
        var description: String { "it took too long" }
    }

    /// Throws ``Exceeded``, and the errors of `body`.
    static func run<T: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: T.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: limit)
                throw Exceeded()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw Exceeded() }
            return first
        }
    }
}
