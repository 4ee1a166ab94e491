import Database
import SocialGraph
import Tracing
import TracingSpans

extension OutboxWorker {
    /// Largest number of jobs of one batch that have a span of their own.
    private static let tracedJobs = 32

    /// Runs `body` in a span for each of the jobs that a traced request has left, as part of that request's trace. The
    /// commands to Redis belong to the first; the others link to it.
    func inSpans(of jobs: @autoclosure () -> [OutboxJob], _ body: () async -> Void) async {
        guard let tracer else { return await body() }
        let traced = jobs().compactMap { job in tracer.jobs.span(of: job.id.rawValue).map { (job, $0) } }
        let spans = traced.prefix(Self.tracedJobs).map { job, cause in
            var context = InstrumentationContext.current ?? .topLevel
            context.span = cause
            let span = tracer.startSpan("job \(job.work.name)", context: context, ofKind: .consumer)
            span.attributes["graphd.job.wait_ms"] = max(SystemClock.milliseconds() - job.createdAt, 0)
            return span
        }
        guard let first = spans.first else { return await body() }
        for span in spans.dropFirst() { span.addLink(first) }
        await InstrumentationContext.$current.withValue(first.context) { await body() }
        for span in spans { span.end() }
    }
}

extension OutboxJob.Work {
    fileprivate var name: String {
        switch self {
        case .push: "push"
        case .remove: "remove"
        case .addReason: "add reason"
        case .removeReason: "remove reason"
        case .rebuild: "rebuild"
        case .evict, .evictAll: "evict"
        case .build: "build"
        case .backfill: "backfill"
        case .rebuildFollowers: "rebuild followers"
        }
    }
}
