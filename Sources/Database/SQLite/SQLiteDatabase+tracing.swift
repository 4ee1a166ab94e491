import Tracing
import TracingSpans

extension SQLiteDatabase {
    /// Runs `body` in a transaction and a span, which lasts from the request to the acknowledgement. The jobs that the
    /// transaction leaves belong to the span.
    func traced<T: Sendable>(
        by tracer: SpanTracer, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await tracer.withSpan("transaction") { span in
            let submitted = DefaultTracerClock.now.nanosecondsSinceEpoch
            return try await submit(
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
