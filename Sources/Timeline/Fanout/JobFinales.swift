import Coordination
import Database
import Logging
import SocialGraph
import Synchronization

/// Ends the jobs whose end has an effect in the graph, once they are done in the windows of all groups. Of several
/// processes the one with the first group does so.
final class JobFinales: Sendable {
    /// The pause between two looks at jobs that others have not done yet.
    private static let pause = Duration.milliseconds(100)
    /// Jobs looked at at once.
    private static let atOnce = 256

    private let expected = Mutex<[JobID: OutboxJob.Work]>([:])
    private let expecting = Wakeup()
    private let share: FanoutShare
    private let graph: any FanoutGraph
    private let runner: JobRunner
    private let acknowledger: OutboxAcknowledger
    private let logger: Logger

    init(
        _ share: FanoutShare, graph: any FanoutGraph, runner: JobRunner, acknowledger: OutboxAcknowledger,
        logger: Logger
    ) {
        self.share = share
        self.graph = graph
        self.runner = runner
        self.acknowledger = acknowledger
        self.logger = logger
    }

    /// Notes a job that is done in the windows of this process.
    func expect(_ job: OutboxJob) {
        guard share.endsJobs, !share.isWhole, job.work.hasFinale else { return }
        expected.withLock { $0[job.id] = job.work }
        expecting.signal()
    }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await endDone()
            } catch {
                logger.debug("jobs cannot be ended; will retry", metadata: ["error": "\(error)"])
            }
            if expected.withLock(\.isEmpty) { await expecting.wait() } else { try? await Task.sleep(for: Self.pause) }
        }
    }

    private func endDone() async throws {
        let asked = expected.withLock { $0.sorted { $0.key < $1.key }.prefix(Self.atOnce) }
        guard !asked.isEmpty else { return }
        let (progress, all) = (try await graph.progress(of: asked.map(\.key)), share.ofJobs.all)
        for (job, work) in asked where progress[job]?.doneGroups.isSuperset(of: all) ?? true {
            guard share.isHeld else { return }
            try await runner.end(work)
            acknowledger.closed(job)
            expected.withLock { $0[job] = nil }
        }
    }
}
