import Coordination
import Database
import Logging
import SocialGraph
import Synchronization

/// The parts of a timeline service that know what has been committed: caches, readers with pending writes, and the
/// follower of the change log that brings both up to date.
struct TimelineParts: Sendable {
    let graph: GraphStore
    let caches: TimelineCaches
    let details: DetailCaches
    let late = LateEvents()
    let recent = RecentReaders()
    let metrics = TimelineMetrics()
    let pendingWrites: ReadersWithPendingWrites
    let postStreams: PostStreams
    let follower: ChangeFollower
    let fanout: FanoutUnderWay
    /// Signalled when others have committed.
    let othersCommits = Wakeup()
    let mechanisms: SharingMechanisms
    let logger: Logger

    /// Loads the readers with pending writes, so that the first read is already correct.
    ///
    /// - Parameters:
    ///   - generations: the stored generations of windows; nil: no other node maintains windows.
    ///   - shards: number of shards of the windows.
    ///   - otherChanges: receives the changes that others write into the change log.
    init(
        graph: GraphStore, encoding: ItemEncoding, generations: FollowedGenerations?, shards: Int,
        otherChanges: @escaping @Sendable ([GraphChange]) -> Void,
        mechanisms: SharingMechanisms = SharingMechanisms(), logger: Logger
    ) async throws {
        self.graph = graph
        self.mechanisms = mechanisms
        self.logger = logger
        let caches = TimelineCaches(graph: graph, encode: encoding.post)
        let details = DetailCaches(graph: graph, encode: encoding.author)
        let posts = PostReader(caches: caches)
        let postStreams = PostStreams(
            feeds: graph.feeds, posts: posts,
            conversations: ConversationReader(comments: graph.comments, posts: posts))
        let (late, othersCommits, fanout) = (late, othersCommits, FanoutUnderWay())
        let pendingWrites = ReadersWithPendingWrites(followsOthers: generations != nil, shards: shards)
        (self.caches, self.details, self.postStreams) = (caches, details, postStreams)
        (self.pendingWrites, self.fanout) = (pendingWrites, fanout)
        let known = try await graph.changes.latestChange()
        follower = ChangeFollower(
            graph: graph, known: known, jobsAbove: try await pendingWrites.load(from: graph), logger: logger,
            receivers: .init(generations: generations) { news in
                pendingWrites.events.note()
                caches.observe(news.groups)
                details.observe(news.groups.changes, touched: news.groups.touched)
                late.observe(news.groups.changes)
                postStreams.observe(news.groups.changes)
                otherChanges(news.groups.changes)
                if mechanisms.followsJobs { pendingWrites.add(ofAllNodes: news.jobs) }
                // The jobs of a command beside the only server are not among its news.
                if generations == nil { fanout.present?.announced.askForLook() } else { fanout.announce(news.jobs) }
                othersCommits.signal()
            })
    }

    /// Begins to apply the commits of this process.
    func observeCommits(_ streams: StreamBroker) {
        graph.database.observeCommits { [pendingWrites, caches, details, late, follower, postStreams, fanout] record in
            pendingWrites.observe(record)
            caches.observe(record)
            details.observe(record.changes, touched: record.touched)
            // After the caches: results computed past an event's mark must not start from an older state of the reader.
            late.observe(record.changes)
            follower.noteOwn(record)
            if let sequence = record.sequence { streams.noteOwn(sequence) }
            postStreams.observe(record.changes)
            fanout.announce(record.jobs)
        }
    }
}

/// The fan-out of this process, while it has the lease of the outbox.
final class FanoutUnderWay: Sendable {
    /// Weak, because the fan-out itself uses what announces to it.
    private struct Reference { weak var fanout: Fanout? }

    private let reference = Mutex(Reference())

    var present: Fanout? { reference.withLock(\.fanout) }

    func begin(_ fanout: Fanout?) { reference.withLock { $0.fanout = fanout } }

    /// Passes jobs on, so that they need not be read from the outbox.
    func announce(_ jobs: [OutboxJob]) { present?.announced.announce(jobs) }
}

extension ReadersWithPendingWrites {
    /// Adds the jobs in the outbox. Returns the last of them.
    fileprivate func load(from graph: GraphStore) async throws -> JobID {
        var cursor: JobID?
        while true {
            let jobs = try await graph.outbox.outboxJobs(above: cursor, limit: 1_000)
            guard let last = jobs.last else { return cursor ?? JobID(rawValue: 0) }
            add(jobs)
            cursor = last.id
        }
    }
}
