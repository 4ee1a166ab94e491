import Database
import DequeModule
import SocialGraph

/// A fair scheduler with one queue for each author. Queues take turns one step at a time, so that neither a single
/// large audience nor an import of many posts delays others. Within a queue jobs start in commit order. Windows are
/// built after the evictions before them are done. (Round-robin fair queueing: Nagle, RFC 970, 1985.)
struct AuthorQueues {
    /// A job and the start of its next step, or several jobs: posts of one author that go to the same windows together,
    /// or jobs with identical work.
    struct Turn: Sendable {
        /// In commit order, at least one.
        var jobs: [OutboxJob]
        var cursor: AudienceCursor
        var isFirst = true
        /// True if the post shares its audience with no other post of its author.
        var isAlone = false

        var job: OutboxJob { jobs[0] }

        /// Returns whether a later turn may join this one: pushes, up to `posts` jobs altogether, or evictions of all
        /// windows, of which one does the work of the others.
        fileprivate func takes(_ other: Turn, upTo posts: Int) -> Bool {
            switch (job.work, other.job.work) {
            case (.push, .push):
                isFresh && other.isFresh && jobs.count + other.jobs.count <= posts
            case (.evictAll, .evictAll): true
            default: false
            }
        }

        private var isFresh: Bool { isFirst && !isAlone && cursor == .start }
    }

    private var queues: [UserID: Deque<Turn>] = [:]
    /// Author queues due for a turn, except those that wait for evictions.
    private var order: Deque<UserID> = []
    private var heldQueues: Set<UserID> = []
    /// Evictions that were taken and are not done.
    private var evictions = 0
    private(set) var count = 0

    mutating func add(_ job: OutboxJob) { insert(Turn(jobs: [job], cursor: job.progress), atFront: false) }

    /// Returns a job with further steps to its queue. It precedes later jobs of its queue and follows the other queues'
    /// turns.
    mutating func resume(_ turn: Turn) { insert(turn, atFront: true) }

    /// Records that all jobs of a turn are done.
    mutating func finish(_ turn: Turn) {
        guard turn.job.work.isEviction else { return }
        evictions -= 1
        guard evictions == 0 else { return }
        order.append(contentsOf: heldQueues)
        heldQueues = []
    }

    /// Puts back turns that were taken and not used, in their original order. They are the next ones again.
    mutating func giveBack(_ turns: some BidirectionalCollection<Turn>) {
        guard !turns.isEmpty else { return }
        var seen: Set<UserID> = []
        let first = turns.map(\.job.work.queue).filter { seen.insert($0).inserted }
        order.removeAll(where: seen.contains)
        order.prepend(contentsOf: first)
        for turn in turns.reversed() {
            queues[turn.job.work.queue, default: []].prepend(turn)
            count += turn.jobs.count
        }
    }

    private mutating func insert(_ turn: Turn, atFront: Bool) {
        let queue = turn.job.work.queue
        if queues[queue] == nil { order.append(queue) }
        if atFront {
            queues[queue, default: []].prepend(turn)
        } else {
            queues[queue, default: []].append(turn)
        }
        count += turn.jobs.count
    }

    /// - Parameter posts: The maximum number of posts of one author in one turn.
    mutating func next(joining posts: Int = 1) -> Turn? {
        guard let queue = nextQueue(), var turn = queues[queue]?.popFirst() else { return nil }
        while let other = queues[queue]?.first, turn.takes(other, upTo: posts) {
            turn.jobs += other.jobs
            _ = queues[queue]?.popFirst()
        }
        if queues[queue]?.isEmpty == true {
            queues[queue] = nil
        } else {
            order.append(queue)
        }
        count -= turn.jobs.count
        if turn.job.work.isEviction { evictions += 1 }
        return turn
    }

    /// Returns the next queue that may have its turn.
    private mutating func nextQueue() -> UserID? {
        while let queue = order.popFirst() {
            guard evictions > 0, case .build? = queues[queue]?.first?.job.work else { return queue }
            heldQueues.insert(queue)
        }
        return nil
    }
}

extension OutboxJob.Work {
    /// True for an eviction, which has one step.
    fileprivate var isEviction: Bool {
        switch self {
        case .evict, .evictAll: true
        default: false
        }
    }

    /// The author queue of the job. All bulk jobs for readers share one queue.
    fileprivate var queue: UserID {
        switch self {
        case .push(_, let author), .remove(_, let author): author
        case .addReason(_, let actor), .removeReason(_, let actor): actor
        case .rebuild(let viewer): viewer
        case .backfill(let author, _): author
        case .rebuildFollowers(let user): user
        case .evict, .evictAll, .build: UserID(rawValue: 0)
        }
    }
}
