import Coordination
import SocialGraph
import Synchronization

/// The jobs that commits have left, those of this process and those of others that it has heard of, on their way to the
/// worker, which then need not read them from the outbox.
final class AnnouncedJobs: Sendable {
    /// Maximum number of waiting jobs. What exceeds it is read from the outbox.
    static let capacity = 16_384

    private let waiting = Mutex<(jobs: [OutboxJob], isWhole: Bool)>(([], true))
    private let wakeup = Wakeup()

    /// Called in commit order for the jobs of this process.
    func announce(_ jobs: [OutboxJob]) {
        guard !jobs.isEmpty else { return }
        waiting.withLock { waiting in
            if waiting.jobs.count + jobs.count <= Self.capacity {
                waiting.jobs += jobs
            } else {
                waiting.isWhole = false
            }
        }
        wakeup.signal()
    }

    /// Has the worker look at the outbox for jobs of other processes.
    func askForLook() {
        waiting.withLock { $0.isWhole = false }
        wakeup.signal()
    }

    /// Returns when jobs have been announced, or when the task is cancelled.
    func wait() async { await wakeup.wait() }

    /// The jobs announced since the last call. `isWhole` is false if there were more.
    func take() -> (jobs: [OutboxJob], isWhole: Bool) {
        waiting.withLock { waiting in
            defer { waiting = ([], true) }
            return waiting
        }
    }
}

/// The jobs that the worker has got from the outbox: all up to its cursor, and single announced ones above. Ids rise in
/// the order of commits, whichever process commits.
struct ReceivedJobs {
    private(set) var cursor: JobID?
    private var announced: Set<JobID> = []
    /// The latest announced job. A read that begins now finds every earlier one that is still in the outbox.
    private(set) var latest: JobID?

    /// Returns false if the job has been received before.
    mutating func receive(announced job: JobID) -> Bool {
        if let cursor, job <= cursor { return false }
        latest = max(latest ?? job, job)
        return announced.insert(job).inserted
    }

    /// Returns those of `jobs`, read above the cursor, that have not been received before.
    ///
    /// - Parameters:
    ///   - isLast: nothing follows them in the outbox.
    ///   - latest: ``latest`` when the read began.
    mutating func receive(read jobs: [OutboxJob], isLast: Bool, latest: JobID?) -> [OutboxJob] {
        let new = jobs.filter { !announced.contains($0.id) }
        let reached = [cursor, jobs.last?.id, isLast ? latest : nil].compactMap(\.self).max()
        if let reached { announced = announced.filter { $0 > reached } }
        cursor = reached
        return new
    }
}
