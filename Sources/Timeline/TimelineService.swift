import Database
import Logging
import RedisClient
import ServiceLifecycle
import SocialGraph

/// The home timelines of one data directory: windows in Redis, in one or several shards, maintained by the outbox, with
/// SQLite for reads below their floors and without them.
package final class TimelineService: Service {
    package let readers: Timelines
    package let streams: StreamBroker
    package let postStreams: PostStreams
    let graph: GraphStore
    let shards: WindowShards
    private let keeper: LeaseKeeper
    private let worker: OutboxWorker
    private let acknowledger: OutboxAcknowledger
    private let gauge: OutboxGauge
    private let builder: WindowBuilder
    private let follower: ChangeFollower
    private let pendingWrites: ReadersWithPendingWrites
    let metrics: TimelineMetrics
    let idle: Duration
    let isAudited: Bool
    let shardPatience: Duration
    let logger: Logger

    /// Takes the lease on the outbox and finds readers with pending writes in it, so that the first read is already
    /// correct. `isAudited` enables continuous verification and repair of
    /// windows. `otherChanges` receives the changes that other processes write into the change log.
    ///
    /// - Parameters:
    ///   - redis: The Redis of each shard, at least one.
    ///   - shardPatience: The time for which one of several shards may be down before the others no longer wait for it.
    /// - Throws: `LeaseHeld` if another server goes on renewing the lease.
    package init(
        graph: GraphStore, formerOwner: FormerOwner, terms: LeaseTerms = .serving, redis: [RedisConfiguration],
        depth: WindowDepth, idle: Duration = IdleWindows.defaultIdle, isAudited: Bool = true,
        shardPatience: Duration = WindowShard.patience, logger: Logger,
        otherChanges: @escaping @Sendable ([GraphChange]) -> Void = { _ in },
        encoding: ItemEncoding
    ) async throws {
        Self.assertTuning()
        self.graph = graph
        self.logger = logger
        let lease = try await graph.outbox.takeLease(from: formerOwner, terms: terms)
        keeper = LeaseKeeper(lease: lease, logger: logger)
        let windows = try await WindowShards(over: redis, graph, lease, depth, idle, logger)
        shards = windows
        let metrics = TimelineMetrics()
        self.metrics = metrics
        self.idle = idle
        self.isAudited = isAudited
        self.shardPatience = shardPatience
        pendingWrites = ReadersWithPendingWrites()
        let caches = TimelineCaches(graph: graph, encode: encoding.post)
        let details = DetailCaches(graph: graph, encode: encoding.author)
        let (grace, locks, recent, late) = (GracePeriod(), ViewerLocks(), RecentReaders(), LateEvents())
        let follower = ChangeFollower(
            graph: graph, known: try await graph.changes.latestChange(), logger: logger,
            apply: { groups in
                caches.observe(groups)
                details.observe(groups.changes, touched: groups.touched)
                late.observe(groups.changes)
                otherChanges(groups.changes)
            })
        self.follower = follower
        let acknowledger = OutboxAcknowledger(
            graph: graph, lease: lease, logger: logger, catchUp: follower.catchUp)
        self.acknowledger = acknowledger
        gauge = OutboxGauge(count: graph.outbox.outboxDepth)
        builder = WindowBuilder(
            graph: graph, windows: windows, grace: grace, locks: locks, metrics: metrics, logger: logger,
            catchUp: follower.catchUp)
        worker = OutboxWorker(
            graph: graph,
            runner: JobRunner(
                graph: graph, windows: windows, grace: grace, pendingWrites: pendingWrites, builder: builder,
                metrics: metrics,
                imported: caches.forgetReaders, progressed: acknowledger.progressed),
            pushes: PushRunner(graph: graph, windows: windows, grace: grace, recent: recent, metrics: metrics),
            acknowledger: acknowledger, lease: lease, announced: AnnouncedJobs(), logger: logger)
        let home = HomeReader(
            sources: HomeSources(
                feeds: graph.feeds, windows: windows, caches: caches, pendingWrites: pendingWrites,
                requestBuild: builder.request, metrics: metrics, logger: logger),
            filterWindows: FilterWindows(shards: windows, late: late, leaseEpoch: lease.epoch),
            recent: recent)
        readers = Timelines(graph: graph, home: home, details: details)
        streams = StreamBroker(
            changes: graph.changes,
            judge: TimelineJudge(
                caches: caches, reshares: graph.reshares, notifications: readers.notifications),
            tail: try await graph.changes.latestChange(), logger: logger, catchUp: follower.catchUp)
        postStreams = PostStreams(feeds: graph.feeds, posts: readers.posts, conversations: readers.conversations)
        observeCommits(caches, details, late)
        try await loadPendingWrites()
    }

    /// Runs until cancelled or shut down gracefully. Work in progress then stays in the outbox, and the lease is
    /// released.
    ///
    /// - Throws: `LeaseLost` when another server has taken over.
    package func run() async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await serve()) } catch { result = .failure(error) }
        await keeper.release()
        try result.get()
    }

    private func serve() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for shard in self.shards.all { self.serve(shard, &group) }
                group.addTask { try await self.keeper.run() }
                group.addTask { try await self.worker.run() }
                group.addTask { try await self.acknowledger.run() }
                group.addTask { await self.builder.run() }
                group.addTask { await FilterWindowBuilder(reader: self.readers.home, logger: self.logger).run() }
                group.addTask { await self.follower.run() }
                group.addTask { await self.streams.run() }
                group.addTask { await self.pruneNowAndThen() }
                // The first error ends all tasks. Waiting for all of them would not.
                for try await _ in group {}
            }
        }
    }

    /// The number of jobs that may still change a window, rebuilds included, and the creation time of the oldest in
    /// milliseconds since 1970.
    package func pending() async throws -> (count: Int, oldest: Int64?) {
        let outbox = try await gauge.depth()
        return (Int(outbox.pending) + builder.pending + readers.home.filterWindows.requests.pending, outbox.oldest)
    }

    private func observeCommits(_ caches: TimelineCaches, _ details: DetailCaches, _ late: LateEvents) {
        graph.database.observeCommits { [pendingWrites, follower, worker, streams, postStreams] record in
            pendingWrites.observe(record)
            caches.observe(record)
            details.observe(record.changes, touched: record.touched)
            // After the caches: results computed past an event's mark must not start from an older state of the reader.
            late.observe(record.changes)
            if let sequence = record.sequence {
                follower.noteOwn(sequence)
                streams.noteOwn(sequence)
            }
            postStreams.observe(record.changes)
            worker.announced.announce(record.jobs)
        }
    }

    private func loadPendingWrites() async throws {
        var cursor: JobID?
        while true {
            let jobs = try await graph.outbox.outboxJobs(above: cursor, limit: 1_000)
            guard let last = jobs.last else { return }
            pendingWrites.add(jobs)
            cursor = last.id
        }
    }

    private func pruneNowAndThen() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(600))
            guard !Task.isCancelled else { return }
            try? await graph.changes.prune()
            while let more = try? await graph.notifications.pruneNotifications(limit: 1_000), more, !Task.isCancelled {}
        }
    }
}
