import Coordination
import Database
import GraphServices
import Logging
import MediaJobs
import ServiceLifecycle
import SocialGraph

/// Examines the videos that were uploaded, a bounded number at once: one out, one in. Every node takes jobs; a job that
/// was interrupted runs again.
package struct MediaJobService: Service {
    /// Number of concurrent jobs of a node.
    static let concurrency = 2
    /// Period at which the queue is looked at. An upload to this node wakes the service at once.
    static let poll = Duration.seconds(5)
    /// Milliseconds after which a job without an end is due again. An attempt is shorter: it is ended after ``limit``.
    static let lease = 15 * Milliseconds.minute
    /// Longest time of an attempt, with the transfer of the file.
    static let limit = Duration.seconds(12 * 60)
    /// Milliseconds for which a node without ffmpeg leaves a job to nodes that may have it.
    static let patience = Milliseconds.minute

    private let graph: GraphStore
    private let runner: MediaJobRunner
    private let worker: Int64
    private let nodes: @Sendable () -> Int
    private let metrics = MediaJobMetrics()
    private let logger: Logger
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - tools: the programs; nil if they are not installed.
    ///   - worker: the number of this node.
    ///   - nodes: the number of nodes that live.
    ///   - now: milliseconds since 1970, the same as the database's.
    package init(
        graph: GraphStore, store: MediaService, tools: VideoTools?, limits: VideoLimits = VideoLimits(),
        worker: Int64, nodes: @escaping @Sendable () -> Int, logger: Logger, now: @escaping @Sendable () -> Int64
    ) {
        self.graph = graph
        self.worker = worker
        self.nodes = nodes
        self.logger = logger
        self.now = now
        runner = MediaJobRunner(
            store: store, examiner: tools.map { VideoExaminer($0, limits: limits) }, logger: logger, now: now)
    }

    private var isRunning: Bool { !Task.isCancelled && !Task.isShuttingDownGracefully }

    /// Runs until the server shuts down; jobs in progress are given back.
    package func run() async throws {
        if runner.examiner == nil {
            logger.notice("ffmpeg is not installed: videos have neither duration nor poster; apt install ffmpeg")
        }
        while isRunning {
            do {
                try await graph.mediaJobs.free(from: worker)
                break
            } catch {
                logger.error("jobs of the former server cannot be freed", metadata: [LogKeys.error: "\(error)"])
                await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.poll) }
            }
        }
        await work()
    }

    private enum Event: Sendable {
        case ended, woken
    }

    /// - Parameter untilIdle: returns when nothing is due and nothing in progress.
    func work(untilIdle: Bool = false) async {
        await withTaskGroup(of: Event.self) { group in
            var (running, isWaiting) = (0, false)
            while isRunning {
                let taken = running < Self.concurrency ? await take(Self.concurrency - running) : []
                for job in taken {
                    running += 1
                    group.addTask {
                        await carryOut(job)
                        return .ended
                    }
                }
                if taken.isEmpty, untilIdle, running == 0 { break }
                if !isWaiting, !untilIdle {
                    isWaiting = true
                    group.addTask { [wakeup = runner.store.newJobs] in
                        await cancelWhenGracefulShutdown { await wakeup.wait(atMost: Self.poll) }
                        return .woken
                    }
                }
                switch await group.next() {
                case .ended?: running -= 1
                case .woken?: isWaiting = false
                case nil: break
                }
            }
            group.cancelAll()
        }
    }

    private func take(_ limit: Int) async -> [TakenMediaJob] {
        let isLeftToOthers = runner.examiner == nil && nodes() > 1
        let time = now() - (isLeftToOthers ? Self.patience : 0)
        do {
            // A write only if there is something to take.
            guard try await graph.mediaJobs.hasDue(since: time) else { return [] }
            return try await graph.mediaJobs.take(limit: limit, dueSince: time, lease: Self.lease, by: worker)
        } catch {
            logger.error("the queue of videos cannot be read", metadata: [LogKeys.error: "\(error)"])
            return []
        }
    }

    private func carryOut(_ job: TakenMediaJob) async {
        let outcome = await cancelWhenGracefulShutdown { await limited(job) }
        // Owner: this function, which waits for it, also in a cancelled task.
        await Task { await end(job, outcome) }.value
    }

    /// Makes an attempt and ends it after ``limit``.
    private func limited(_ job: TakenMediaJob) async -> MediaJobOutcome {
        await withTaskGroup(of: MediaJobOutcome?.self) { group in
            group.addTask { await runner.outcome(of: job) }
            group.addTask {
                try? await Task.sleep(for: Self.limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The attempt counts, although it looks cancelled.
            _ = await group.next()
            return Task.isCancelled ? .released : runner.outcome(ofFailed: job)
        }
    }

    private func end(_ job: TakenMediaJob, _ outcome: MediaJobOutcome) async {
        var isOurs = false
        do {
            isOurs = try await graph.mediaJobs.finish(job, outcome)
            if isOurs { metrics.count(outcome) }
        } catch GraphError.accountNotFound {
            // The account was deleted meanwhile, and its files and jobs go with it.
        } catch {
            // The job is due again when its time is over. Whether it was ended is not known, so the poster stays: the
            // sweep removes it if it has no row.
            logger.error("a job of a video cannot be ended", metadata: [LogKeys.error: "\(error)"])
            return
        }
        if !isOurs, case .ready(_, let poster?) = outcome {
            try? await runner.store.remove(poster.id, named: poster.fileName)
        }
    }
}
