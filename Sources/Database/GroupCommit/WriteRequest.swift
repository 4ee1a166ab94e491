/// One caller's part of a commit group: its statements, and a way to refuse it without running them.
package struct WriteRequest<Transaction: GraphTransaction & SendableMetatype>: Sendable {
    package let run: @Sendable (Transaction) -> Outcome
    package let refuse: @Sendable (any Error) -> Void
    /// Queries that ``run`` will ask. Their results may be older than other requests of the group that have some.
    package let ahead: [SQLQuery]

    /// - Parameters:
    ///   - ahead: queries that `body` will ask, for an engine that sends them with the beginning of the group.
    ///   - translate: turns an error of the driver's library, which must not reach callers, into one that may.
    package init<T: Sendable>(
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T, _ caller: CheckedContinuation<T, any Error>,
        readingAhead ahead: [SQLQuery] = [], translate: @escaping @Sendable (any Error) -> any Error
    ) {
        self.ahead = ahead
        run = { transaction in
            do {
                let value = try body(transaction)
                return Outcome(error: nil) { caller.resume(returning: value) }
            } catch {
                return Outcome(error: error) { caller.resume(throwing: translate(error)) }
            }
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// The outcome of a request, reported to its caller after the group has been committed.
package struct Outcome {
    package let error: (any Error)?
    package let committed: () -> Void

    package init(error: (any Error)?, committed: @escaping () -> Void) {
        self.error = error
        self.committed = committed
    }
}
