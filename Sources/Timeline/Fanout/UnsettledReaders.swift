import Database
import SocialGraph
import Synchronization

/// Readers whose own acts have not reached their window yet: a post or reshare of theirs, a follow or an unfollow. They
/// are answered from SQLite until then, so that a writer reads its own write at once. So are the followers of somebody
/// whose suspension begins or ends, until the job has gone through all of their windows. Every job is run to its end,
/// also one whose act was undone meanwhile, so that nobody is forgotten here.
package final class UnsettledReaders: Sendable {
    fileprivate struct State {
        var jobs: [UserID: Set<JobID>] = [:]
        /// By whose followers wait for them.
        var jobsOfFollowers: [UserID: Set<JobID>] = [:]
        /// The latest job that was announced.
        var latest = JobID(rawValue: 0)
        /// Settled before its commit was announced here: the worker was faster.
        var early: Set<JobID> = []
    }

    private let state = Mutex(State())

    package init() {}

    package func contains(_ reader: UserID) -> Bool { state.withLock { $0.jobs[reader] != nil } }

    /// Whether the reader of `context` is among them, also as a follower.
    package func contains(_ context: ViewerContext) -> Bool {
        state.withLock { state in
            if state.jobs[context.viewer] != nil { return true }
            guard !state.jobsOfFollowers.isEmpty else { return false }
            return state.jobsOfFollowers.keys.contains { user in
                user == context.viewer || context.follows(user) || context.suspendedFollowees.contains(user)
            }
        }
    }

    package var count: Int { state.withLock { $0.jobs.count + $0.jobsOfFollowers.count } }

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
            for job in jobs where job.progress == .start || job.work.unsettles == .followers { state.add(job) }
        }
    }

    /// A step of the job has brought windows up to date. `isDone`: it was the last.
    package func settle(_ job: OutboxJob, isDone: Bool = true) {
        guard let concern = job.work.unsettles, isDone || concern != .followers else { return }
        state.withLock { state in
            if !state.remove(job, concern), job.id > state.latest { state.early.insert(job.id) }
        }
    }
}

extension UnsettledReaders.State {
    fileprivate mutating func add(_ job: OutboxJob) {
        latest = max(latest, job.id)
        defer { if !early.isEmpty { early = early.filter { $0 > latest } } }
        guard let concern = job.work.unsettles, early.remove(job.id) == nil else { return }
        // Changed where it stands: a dictionary that is read and written back is copied whole, at each job.
        switch concern {
        case .reader: jobs[job.work.unsettler, default: []].insert(job.id)
        case .followers: jobsOfFollowers[job.work.unsettler, default: []].insert(job.id)
        }
    }

    /// False: it is not known here.
    fileprivate mutating func remove(_ job: OutboxJob, _ concern: Concern) -> Bool {
        switch concern {
        case .reader: Self.remove(job, from: &jobs)
        case .followers: Self.remove(job, from: &jobsOfFollowers)
        }
    }

    private static func remove(_ job: OutboxJob, from jobs: inout [UserID: Set<JobID>]) -> Bool {
        let user = job.work.unsettler
        guard jobs[user]?.remove(job.id) != nil else { return false }
        if jobs[user]?.isEmpty == true { jobs[user] = nil }
        return true
    }
}

/// Who must not be answered from a window: one reader until a job's first step is done, or all followers of a user
/// until its last is.
private enum Concern { case reader, followers }

extension OutboxJob.Work {
    fileprivate var unsettles: Concern? {
        switch self {
        case .push, .share, .unshare, .refresh: .reader
        case .refreshFollowers: .followers
        case .unpush, .drop, .dropAll, .build, .land: nil
        }
    }

    /// The reader, or whose followers.
    fileprivate var unsettler: UserID {
        switch self {
        case .push(_, let user), .share(_, let user), .unshare(_, let user), .refresh(let user),
            .refreshFollowers(let user), .unpush(_, let user), .land(let user, _):
            user
        case .drop, .dropAll, .build: UserID(rawValue: 0)
        }
    }
}
