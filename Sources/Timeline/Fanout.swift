import Coordination
import Database
import Logging
import RedisClient
import SocialGraph

/// The work on windows that one process at a time does, under the lease of the outbox or those of groups of windows:
/// jobs, builds, and the audit of windows. A fan-out begins like a restart: with fences of its own, and the outbox from
/// its beginning.
final class Fanout: Sendable {
    /// The things that a fan-out shares with the readers of its process.
    struct Surroundings: Sendable {
        let graph: GraphStore
        let redis: WindowServers
        let depth: WindowDepth
        let options: TimelineOptions
        let follower: ChangeFollower
        let caches: TimelineCaches
        let pendingWrites: ReadersWithPendingWrites
        let recent: RecentReaders
        let metrics: TimelineMetrics
        /// True if other nodes read the windows.
        let isShared: Bool
        let logger: Logger
    }

    let windows: WindowShards
    let builder: WindowBuilder
    let announced = AnnouncedJobs()
    private let share: FanoutShare
    private let worker: OutboxWorker
    private let finales: JobFinales
    private let acknowledger: OutboxAcknowledger
    private let it: Surroundings

    /// - Throws: `LeaseLost`, or `RedisError` for an unusable configuration.
    init(_ it: Surroundings, share: FanoutShare) async throws {
        self.it = it
        self.share = share
        let (graph, metrics, logger) = (it.graph, it.metrics, it.logger)
        let windows = try await WindowShards(it, share)
        self.windows = windows
        let (grace, locks, hubs) = (GracePeriod(), ViewerLocks(), HubMark())
        // Each request to one of several nodes looks at the log itself.
        let looks = !it.isShared && it.options.mechanisms.looksBeforeAcknowledging
        acknowledger = OutboxAcknowledger(
            graph: graph, share: share, logger: logger,
            catchUp: { [follower = it.follower] in
                if looks { try await follower.catchUp() }
            })
        builder = WindowBuilder(
            graph: graph, windows: windows, grace: grace, locks: locks, metrics: metrics, logger: logger,
            catchUp: { [follower = it.follower, isShared = it.isShared] shard in
                try await follower.catchUp()
                if isShared { try await hubs.raise(to: follower.hubs, beside: shard) }
            })
        let runner = JobRunner(
            graph: graph, windows: windows, grace: grace, pendingWrites: it.pendingWrites, builder: builder,
            metrics: metrics, imported: it.caches.forgetReaders, progressed: acknowledger.progressed, share: share)
        finales = JobFinales(share, graph: graph, runner: runner, acknowledger: acknowledger, logger: logger)
        worker = OutboxWorker(
            graph: graph, runner: runner,
            pushes: PushRunner(graph: graph, windows: windows, grace: grace, recent: it.recent, metrics: metrics),
            acknowledger: acknowledger, finales: finales, share: share, announced: announced, logger: logger)
    }

    /// Runs until cancelled. Work in progress then stays in the outbox.
    ///
    /// - Throws: `LeaseLost` when another process has taken over.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let keeper = windows.keeper { group.addTask { await keeper.run() } }
            for shard in windows.kept { serve(shard, &group) }
            if it.options.isAudited { group.addTask { await WindowAudit.run(self.audits) } }
            if it.isShared { takeRequests(&group) }
            group.addTask { try await self.worker.run() }
            group.addTask { try await self.acknowledger.run() }
            if share.endsJobs, !share.isWhole { group.addTask { await self.finales.run() } }
            group.addTask { await self.builder.run() }
            if share.endsJobs { group.addTask { await self.pruneNowAndThen() } }
            // The first error ends all tasks. Waiting for all of them would not.
            for try await _ in group {}
        }
    }

    /// Adds the tasks of a shard.
    private func serve(_ shard: WindowShard, _ group: inout ThrowingTaskGroup<Void, any Error>) {
        let (logger, options) = (it.logger, it.options)
        for case let connection as RedisConnection in [shard.writing, shard.reading] {
            group.addTask { await connection.run() }
        }
        group.addTask { await shard.writer.runFolds() }
        let sweeper = WindowSweeper(space: shard.space, connection: shard.writing, logger: logger)
        if options.isSwept { group.addTask { await sweeper.run() } }
        if shard.space.mayBeGivenUp, let connection = shard.writing as? RedisConnection {
            group.addTask { await shard.watch(connection, patience: options.shardPatience, logger: logger) }
        }
    }

    private var audits: [WindowAudit] {
        windows.kept.map { shard in
            WindowAudit(
                graph: it.graph, connection: shard.writing, space: shard.space, idle: it.options.idle,
                metrics: it.metrics, logger: it.logger)
        }
    }

    /// Adds the tasks that receive the requests of all nodes.
    private func takeRequests(_ group: inout ThrowingTaskGroup<Void, any Error>) {
        for first in share.held.map({ ShardNumber.first(ofGroup: $0, of: windows.count) }) {
            group.addTask { [builder, windows, logger = it.logger] in
                await BuildRequests.take(from: windows.all[first], logger: logger, builder.request)
            }
        }
    }

    private func pruneNowAndThen() async {
        let graph = it.graph
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(600))
            guard !Task.isCancelled else { return }
            try? await graph.changes.prune()
            while let more = try? await graph.notifications.pruneNotifications(limit: 1_000), more, !Task.isCancelled {}
        }
    }
}
