import SocialGraph
import Synchronization

/// Readers whose own acts have not reached their window yet: a post or reshare of theirs, a follow or an unfollow. They
/// are answered from SQLite until then, so that a writer reads its own write at once. Every job is run to its end, also
/// one whose act was undone meanwhile, so that nobody is forgotten here.
package final class UnsettledReaders: Sendable {
    fileprivate struct State {
        var jobs: [UserID: Set<JobID>] = [:]
        /// The latest job that was announced.
        var latest = JobID(rawValue: 0)
        /// Settled before its commit was announced here: the worker was faster.
        var early: Set<JobID> = []
    }

    private let state = Mutex(State())

    package init() {}

    package func contains(_ reader: UserID) -> Bool { state.withLock { $0.jobs[reader] != nil } }

    package var count: Int { state.withLock { $0.jobs.count } }

    /// Called in commit order, before the commit is acknowledged.
    package func observe(_ record: CommitRecord) {
        guard !record.jobs.isEmpty else { return }
        state.withLock { state in
            for job in record.jobs { state.add(job) }
        }
    }

    /// Jobs found in the outbox at the start.
    package func add(_ jobs: [OutboxJob]) {
        state.withLock { state in
            for job in jobs where job.progress == .start { state.add(job) }
        }
    }

    /// The windows of the job's readers are up to date.
    package func settle(_ job: OutboxJob) {
        guard let reader = job.unsettledReader else { return }
        state.withLock { state in
            if state.jobs[reader]?.remove(job.id) != nil {
                if state.jobs[reader]?.isEmpty == true { state.jobs[reader] = nil }
            } else if job.id > state.latest {
                state.early.insert(job.id)
            }
        }
    }
}

extension UnsettledReaders.State {
    fileprivate mutating func add(_ job: OutboxJob) {
        latest = max(latest, job.id)
        defer { if !early.isEmpty { early = early.filter { $0 > latest } } }
        guard let reader = job.unsettledReader, early.remove(job.id) == nil else { return }
        jobs[reader, default: []].insert(job.id)
    }
}

extension OutboxJob {
    /// Who must not be answered from a window until this job's first step is done.
    fileprivate var unsettledReader: UserID? {
        switch work {
        case .push(_, let author): author
        case .share(_, let actor), .unshare(_, let actor): actor
        case .refresh(let viewer): viewer
        case .unpush, .drop, .build, .land: nil
        }
    }
}
