import Logging
import SocialGraph

/// Works off the outbox: fills its places with jobs in commit order, then one out, one in. A job leaves the outbox
/// after Redis has answered all of it; one that fails is tried again after a pause, and one that is cut off is found
/// by the next incarnation.
struct OutboxWorker: Sendable {
    let graph: any FanoutGraph
    let runner: JobRunner
    let settler: OutboxSettler
    let wakeup: Wakeup
    let logger: Logger

    /// Until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var cursor: JobID?
            var running = 0
            while !Task.isCancelled {
                let jobs = try await nextJobs(above: cursor)
                for job in jobs {
                    if running == TimelineLimits.concurrentJobs {
                        try await group.next()
                        running -= 1
                    }
                    group.addTask { await finish(job) }
                    running += 1
                }
                cursor = jobs.last?.id ?? cursor
                if jobs.isEmpty { await wakeup.wait(atMost: .milliseconds(200)) }
            }
        }
    }

    private func nextJobs(above cursor: JobID?) async throws -> [OutboxJob] {
        do {
            return try await graph.outboxJobs(above: cursor, limit: TimelineLimits.outboxBatch)
        } catch is CancellationError {
            return []
        } catch let error as GraphError {
            logger.error("outbox cannot be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func finish(_ job: OutboxJob) async {
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled {
            do {
                try await runner.run(job)
                settler.finished(job.id)
                return
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "job failed, will be repeated", metadata: ["job": "\(job.id.rawValue)", "error": "\(error)"])
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
