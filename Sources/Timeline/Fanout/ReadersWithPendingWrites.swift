import Coordination
import Database
import SocialGraph
import Synchronization

/// Readers with pending writes: their own post, reshare, follow or unfollow has not been applied to their window yet.
/// Their pages are answered from SQLite until then, so that writers read their own writes at once. The same holds for
/// the followers of a user whose suspension begins or ends, until the job has processed all of their windows. Every job
/// runs to its end, even if its act was undone meanwhile, so that no reader stays here for ever.
package final class ReadersWithPendingWrites: Sendable {
    fileprivate struct State {
        var jobs: [UserID: Set<JobID>] = [:]
        /// Jobs that a user's followers wait for, by that user.
        var jobsOfFollowers: [UserID: Set<JobID>] = [:]
        /// The latest announced job.
        var latest = JobID(rawValue: 0)
        /// Jobs applied before their commit was announced here, because the worker was faster.
        var early: Set<JobID> = []
        /// Jobs of this process that may come once more among those of all nodes.
        var own: Set<JobID> = []
    }

    /// Counts what is observed here, and the ends of waits, before they have an effect.
    let events = PageEvents()
    /// Signalled when readers may have begun to wait.
    let added = Wakeup(pace: PendingWritesSettler.pause / 2)
    private let state = Mutex(State())
    private let followsOthers: Bool
    /// Number of shards of the windows.
    private let shards: Int

    /// - Parameter followsOthers: other nodes leave jobs, and do those of this process.
    package init(followsOthers: Bool = false, shards: Int = 1) {
        (self.followsOthers, self.shards) = (followsOthers, shards)
    }

    package func contains(_ reader: UserID) -> Bool { state.withLock { $0.jobs[reader] != nil } }

    /// Returns whether the reader of `context` has pending writes, also as a follower.
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

    /// Records a commit. Called in commit order, before the commit is acknowledged.
    package func observe(_ record: CommitRecord) {
        events.note()
        guard !record.jobs.isEmpty else { return }
        state.withLock { state in
            for job in record.jobs { state.add(job) }
            if followsOthers { state.own.formUnion(record.jobs.map(\.id)) }
        }
        added.signal()
    }

    /// Adds those of `jobs`, which are in the outbox, that other nodes have left. No later call passes earlier jobs.
    func add(ofAllNodes jobs: [OutboxJob]) {
        guard let last = jobs.last else { return }
        state.withLock { state in
            for job in jobs where !state.own.contains(job.id) && job.mayKeepWaiting { state.add(job) }
            state.own = state.own.filter { $0 > last.id }
        }
        added.signal()
    }

    /// Up to `limit` jobs that readers wait for.
    func awaited(limit: Int) -> [JobID] {
        state.withLock { state in
            Array([state.jobs, state.jobsOfFollowers].joined().lazy.flatMap(\.value).prefix(limit))
        }
    }

    /// Removes those of `asked` that another node has done, as `progress` tells of those that are still in the outbox:
    /// for a reader, in the windows of the reader's group.
    func settle(_ asked: [JobID], _ progress: [JobID: JobProgress]) {
        let gone = Set(asked.filter { progress[$0] == nil })
        let begun = progress.filter { $0.value.cursor != .start || !$0.value.doneGroups.isEmpty }
        events.note()
        state.withLock { state in
            state.removeJobs(of: gone.union(begun.keys)) { [shards] job, reader in
                guard let progress = begun[job] else { return true }
                return progress.cursor != .start
                    || progress.doneGroups.contains(ShardNumber.group(of: reader, among: shards))
            }
            State.remove(gone, from: &state.jobsOfFollowers)
        }
    }

    /// Adds the jobs found in the outbox at the start.
    package func add(_ jobs: [OutboxJob]) {
        state.withLock { state in
            for job in jobs where job.mayKeepWaiting { state.add(job) }
        }
        added.signal()
    }

    /// Records that a step of the job has brought windows up to date. `isDone` is true for the last step.
    ///
    /// - Parameter share: the windows that this process maintains; nil: all.
    func markApplied(_ job: OutboxJob, isDone: Bool = true, in share: FanoutShare? = nil) {
        guard let concern = job.work.waitingReaders, isDone || concern != .followers else { return }
        if let share, !share.isWhole {
            // The rest is up to others, who tell through the outbox.
            guard concern == .reader, share.contains(job.work.concernedUser) else { return }
        }
        events.note()
        state.withLock { state in
            if !state.remove(job, concern), job.id > state.latest { state.early.insert(job.id) }
        }
    }
}

extension ReadersWithPendingWrites.State {
    fileprivate mutating func add(_ job: OutboxJob) {
        latest = max(latest, job.id)
        defer { if !early.isEmpty { early = early.filter { $0 > latest } } }
        guard let concern = job.work.waitingReaders, early.remove(job.id) == nil else { return }
        // Mutated in place: reading a dictionary and writing it back would copy all of it at each job.
        switch concern {
        case .reader: jobs[job.work.concernedUser, default: []].insert(job.id)
        case .followers: jobsOfFollowers[job.work.concernedUser, default: []].insert(job.id)
        }
    }

    /// Returns false if the job is not known here.
    fileprivate mutating func remove(_ job: OutboxJob, _ concern: Concern) -> Bool {
        switch concern {
        case .reader: Self.remove(job, from: &jobs)
        case .followers: Self.remove(job, from: &jobsOfFollowers)
        }
    }

    /// Removes those of `jobs` that `isDone` tells to be done for their reader.
    fileprivate mutating func removeJobs(of done: Set<JobID>, if isDone: (JobID, UserID) -> Bool) {
        guard !done.isEmpty else { return }
        for (user, waiting) in jobs where !waiting.isDisjoint(with: done) {
            let rest = waiting.filter { !done.contains($0) || !isDone($0, user) }
            jobs[user] = rest.isEmpty ? nil : rest
        }
    }

    fileprivate static func remove(_ done: Set<JobID>, from jobs: inout [UserID: Set<JobID>]) {
        guard !done.isEmpty else { return }
        for (user, waiting) in jobs where !waiting.isDisjoint(with: done) {
            let rest = waiting.subtracting(done)
            jobs[user] = rest.isEmpty ? nil : rest
        }
    }

    private static func remove(_ job: OutboxJob, from jobs: inout [UserID: Set<JobID>]) -> Bool {
        let user = job.work.concernedUser
        guard jobs[user]?.remove(job.id) != nil else { return false }
        if jobs[user]?.isEmpty == true { jobs[user] = nil }
        return true
    }
}

/// The readers who must not be answered from a window: one reader until a job's first step is done, or all followers of
/// a user until its last is.
private enum Concern { case reader, followers }

extension OutboxJob {
    /// False if the step that its readers wait for is done.
    fileprivate var mayKeepWaiting: Bool { progress == .start || work.waitingReaders == .followers }
}

extension OutboxJob.Work {
    fileprivate var waitingReaders: Concern? {
        switch self {
        case .push, .addReason, .removeReason, .rebuild: .reader
        case .rebuildFollowers: .followers
        case .remove, .evict, .evictAll, .build, .backfill: nil
        }
    }

    /// The reader, or the user whose followers are concerned.
    fileprivate var concernedUser: UserID {
        switch self {
        case .push(_, let user), .addReason(_, let user), .removeReason(_, let user), .rebuild(let user),
            .rebuildFollowers(let user), .remove(_, let user), .backfill(let user, _):
            user
        case .evict, .evictAll, .build: UserID(rawValue: 0)
        }
    }
}
