import Logging
import SocialGraph

/// Works off the outbox: a number of steps at a time, each author's lane in turn. A job leaves the outbox after Redis
/// has answered all of it; one that fails is tried again after a pause, and one that is cut off is found by the next
/// incarnation.
struct OutboxWorker: Sendable {
    let graph: any FanoutGraph
    let runner: JobRunner
    let settler: OutboxSettler
    let wakeup: Wakeup
    let logger: Logger

    private enum Event: Sendable {
        /// A step is done; nil: its job is, too.
        case stepped(JobRotation.Turn?)
        case read([OutboxJob])
        case rang
    }

    /// What is under way.
    private struct State {
        var rotation = JobRotation()
        var cursor: JobID?
        /// The outbox may hold jobs above the cursor.
        var isBehind = true
        var isReading = false
        var isListening = false
        var running = 0

        mutating func take(_ event: Event) {
            switch event {
            case .stepped(let rest):
                running -= 1
                if let rest { rotation.resume(rest) }
            case .read(let jobs):
                isReading = false
                for job in jobs { rotation.add(job) }
                cursor = jobs.last?.id ?? cursor
                if jobs.count == TimelineLimits.outboxBatch { isBehind = true }
            case .rang:
                isListening = false
                isBehind = true
            }
        }
    }

    /// Until the task is cancelled.
    func run() async throws {
        await withTaskGroup(of: Event.self) { group in
            var state = State()
            while !Task.isCancelled {
                if state.isBehind, !state.isReading, state.rotation.count < TimelineLimits.jobsInRotation {
                    let cursor = state.cursor
                    group.addTask { .read(await nextJobs(above: cursor)) }
                    state.isReading = true
                    // A ring from here on means another read: this one may have missed what it announces.
                    state.isBehind = false
                }
                if !state.isListening {
                    group.addTask {
                        await wakeup.wait(atMost: .milliseconds(200))
                        return .rang
                    }
                    state.isListening = true
                }
                while state.running < TimelineLimits.concurrentJobs, let turn = state.rotation.next() {
                    group.addTask { .stepped(await step(turn)) }
                    state.running += 1
                }
                if let event = await group.next() { state.take(event) }
            }
            group.cancelAll()
        }
    }

    private func nextJobs(above cursor: JobID?) async -> [OutboxJob] {
        do {
            return try await graph.outboxJobs(above: cursor, limit: TimelineLimits.outboxBatch)
        } catch is CancellationError {
            return []
        } catch {
            logger.error("outbox cannot be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func step(_ turn: JobRotation.Turn) async -> JobRotation.Turn? {
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled {
            do {
                let next = try await runner.step(turn.job, at: turn.cursor, isFirst: turn.isFirst)
                guard let next else {
                    settler.finished(turn.job.id)
                    return nil
                }
                return JobRotation.Turn(job: turn.job, cursor: next, isFirst: false)
            } catch is CancellationError {
                return nil
            } catch {
                logger.error(
                    "job failed, will be repeated",
                    metadata: ["job": "\(turn.job.id.rawValue)", "error": "\(error)"])
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
        return nil
    }
}
