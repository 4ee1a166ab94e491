import Tracing
import TracingSpans

/// A driver that commits concurrent writes in groups.
package protocol GroupCommitDatabase: GraphDatabase {
    /// The type of its transactions.
    associatedtype Transaction: GroupTransaction

    /// The tracer of the server that has opened the database; nil: nothing is traced.
    var tracer: SpanTracer? { get }

    /// Write requests that wait for the writer.
    var waitingWrites: Int { get }

    /// True if the engine sends what requests read ahead with the beginning of their group.
    static var readsAhead: Bool { get }

    /// Queues `request` for the next group, or refuses it.
    func enqueue(_ request: WriteRequest<Transaction>)

    /// Turns an error of the driver's library into one that callers may see.
    func translate(_ error: any Error) -> any Error
}

extension GroupCommitDatabase {
    package static var readsAhead: Bool { false }

    /// Requests that share one transaction and one fsync.
    package static var commitGroupSize: Int { 256 }
    /// Write requests that may wait for the writer.
    package static var commitQueueLength: Int { 16_384 }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await join([], body)
    }

    package func write<T: Sendable>(
        readingAhead queries: @escaping @Sendable () -> [SQLQuery],
        _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await join(Self.readsAhead ? queries() : [], body)
    }

    /// Lets the companion of the task join the transaction.
    private func join<T: Sendable>(
        _ ahead: [SQLQuery], _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        guard let companion = WriteCompanions.current, let joined = companion.joined(to: body) else {
            return try await submit(ahead, body)
        }
        let value = try await submit(ahead, joined)
        companion.noteCommit()
        return value
    }

    /// - Parameter isTraced: true if a span already stands for the transaction.
    private func submit<T: Sendable>(
        _ ahead: [SQLQuery], _ body: @escaping @Sendable (any GraphTransaction) throws -> T, isTraced: Bool = false
    ) async throws -> T {
        if let tracer, !isTraced, SpanTracer.span != nil { return try await traced(by: tracer, ahead, body) }
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(WriteRequest(body, continuation, readingAhead: ahead) { [self] in translate($0) })
        }
    }

    /// Runs `body` in a transaction and a span, which lasts from the request to the acknowledgement. The jobs that the
    /// transaction leaves belong to the span.
    private func traced<T: Sendable>(
        by tracer: SpanTracer, _ ahead: [SQLQuery], _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await tracer.withSpan("transaction") { span in
            let submitted = DefaultTracerClock.now.nanosecondsSinceEpoch
            return try await submit(
                ahead,
                { transaction in
                    // The body may run twice; the second run counts.
                    let started = DefaultTracerClock.now.nanosecondsSinceEpoch
                    span.attributes["graphd.queue_wait_us"] = Int64((max(started, submitted) - submitted) / 1_000)
                    let former = transaction.notedJobs.count
                    let value = try body(transaction)
                    tracer.jobs.note(transaction.notedJobs.dropFirst(former), of: span.identity)
                    return value
                }, isTraced: true)
        }
    }
}

extension GraphTransaction {
    fileprivate var notedJobs: [Int64] {
        var jobs: [Int64] = []
        note { jobs = $0?.jobs ?? [] }
        return jobs
    }
}
