import Synchronization

/// The spans that left jobs in a queue of this process, so that the work of a job belongs to the trace of the request
/// that caused it. Bounded: a job beyond the limit, or one found after a restart, has no span to belong to.
package final class JobSpans: Sendable {
    private static let capacity = 8_192

    private let spans = Mutex<[Int64: SpanIdentity]>([:])

    package init() {}

    package func note(_ jobs: some Sequence<Int64>, of span: SpanIdentity) {
        spans.withLock { spans in
            for job in jobs where spans.count < Self.capacity { spans[job] = span }
        }
    }

    package func span(of job: Int64) -> SpanIdentity? { spans.withLock { $0[job] } }

    package func remove(_ job: Int64) {
        spans.withLock { _ = $0.removeValue(forKey: job) }
    }
}
