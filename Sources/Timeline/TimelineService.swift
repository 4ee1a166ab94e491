import Coordination
import Database
import Logging
import RedisClient
import ServiceLifecycle
import SocialGraph

/// Home timelines: windows in Redis, in one or several shards, maintained by the outbox, with the database for reads
/// below their floors and without them.
///
/// A process that has the database for itself reads windows and maintains them. Of several nodes all read, and each
/// group of windows is maintained by one at a time.
package final class TimelineService: Service {
    /// Runs a body while this node has the lease of a group of windows, each time that it gets it. Returns when its
    /// task is cancelled.
    package typealias FanoutDuty =
        @Sendable (_ body: @escaping @Sendable (HeldLease) async throws -> Void) async throws -> Void

    /// The way in which this process comes to do the fan-out.
    private enum Tenure {
        case sole(Fanout, LeaseKeeper)
        case shared([FanoutDuty], Fanout.Surroundings, FollowedShards, BuildRequests, PendingWritesSettler)

        /// A number that no other process uses.
        var process: Int64 {
            switch self {
            // The epochs of leases are much smaller than random numbers.
            case .sole(_, let keeper): keeper.lease.epoch
            case .shared: Int64.random(in: IDSequence.maximum / 2...IDSequence.maximum)
            }
        }
    }

    package let readers: Timelines
    package let streams: StreamBroker
    let parts: TimelineParts
    private let shards: ReadableShards
    private let tenure: Tenure
    private let gauge: OutboxGauge

    package var postStreams: PostStreams { parts.postStreams }
    /// The fan-out of this process, while it does it.
    var fanout: Fanout? { parts.fanout.present }

    /// The timelines of a process that alone serves its database. Takes the lease on the outbox and finds readers with
    /// pending writes in it, so that the first read is already correct.
    ///
    /// - Parameters:
    ///   - redis: The Redis that holds the windows.
    ///   - otherChanges: Receives the changes that other processes, such as imports, write into the change log.
    /// - Throws: `LeaseHeld` if another server goes on renewing the lease.
    package convenience init(
        graph: GraphStore, formerOwner: FormerOwner, terms: LeaseTerms = .serving, redis: WindowServers,
        depth: WindowDepth, options: TimelineOptions = TimelineOptions(), logger: Logger,
        otherChanges: @escaping @Sendable ([GraphChange]) -> Void = { _ in }, encoding: ItemEncoding
    ) async throws {
        let lease = try await graph.outbox.takeLease(from: formerOwner, terms: terms)
        let parts = try await TimelineParts(
            graph: graph, encoding: encoding, generations: nil, shards: redis.shards, otherChanges: otherChanges,
            mechanisms: options.mechanisms, logger: logger)
        let fanout = try await Fanout(
            parts.surroundings(redis, depth, options, isShared: false),
            share: FanoutShare(all: lease, shards: redis.shards))
        parts.fanout.begin(fanout)
        try await self.init(
            parts, fanout.windows.readable, .sole(fanout, LeaseKeeper(lease: lease, logger: logger)),
            requestBuild: fanout.builder.request)
    }

    /// The number of groups of windows in `redis` that different nodes can maintain.
    package static func fanoutGroups(in redis: WindowServers) -> Int { ShardNumber.groups(of: redis.shards) }

    /// The timelines of one of several nodes.
    ///
    /// - Parameters:
    ///   - duties: Have this node do the fan-out for a group of windows now and then, one for each of
    ///     ``fanoutGroups(in:)``.
    ///   - redis: The Redis that holds the windows, which all nodes reach.
    ///   - otherChanges: Receives the changes that other nodes write into the change log.
    package convenience init(
        graph: GraphStore, sharedBy duties: [FanoutDuty], redis: WindowServers, depth: WindowDepth,
        options: TimelineOptions = TimelineOptions(), logger: Logger,
        otherChanges: @escaping @Sendable ([GraphChange]) -> Void = { _ in }, encoding: ItemEncoding
    ) async throws {
        precondition(duties.count == Self.fanoutGroups(in: redis), "each group of windows has one duty")
        let shards = try FollowedShards(in: redis, options, logger)
        let generations = shards.generations(in: graph)
        let parts = try await TimelineParts(
            graph: graph, encoding: encoding, generations: generations, shards: redis.shards,
            otherChanges: otherChanges, mechanisms: options.mechanisms, logger: logger)
        let requests = BuildRequests(shards: shards.readable, logger: logger)
        let settler = PendingWritesSettler(
            outbox: graph.outbox, pendingWrites: parts.pendingWrites, generations: generations, logger: logger)
        try await self.init(
            parts, shards.readable,
            .shared(duties, parts.surroundings(redis, depth, options, isShared: true), shards, requests, settler),
            requestBuild: requests.request)
    }

    private init(
        _ parts: TimelineParts, _ shards: ReadableShards, _ tenure: Tenure,
        requestBuild: @escaping @Sendable (UserID) -> Void
    ) async throws {
        Self.assertTuning()
        (self.parts, self.shards, self.tenure) = (parts, shards, tenure)
        let graph = parts.graph
        gauge = OutboxGauge(count: graph.outbox.outboxDepth)
        let home = HomeReader(
            sources: HomeSources(
                feeds: graph.feeds, windows: shards, caches: parts.caches, pendingWrites: parts.pendingWrites,
                follower: parts.follower, requestBuild: requestBuild, metrics: parts.metrics,
                mechanisms: parts.mechanisms, logger: parts.logger),
            filterWindows: FilterWindows(shards: shards, late: parts.late, process: tenure.process),
            recent: parts.recent)
        readers = Timelines(graph: graph, home: home, details: parts.details)
        streams = StreamBroker(
            changes: graph.changes,
            judge: TimelineJudge(
                caches: parts.caches, details: parts.details, reshares: graph.reshares,
                notifications: readers.notifications),
            tail: try await graph.changes.latestChange(), wakeup: parts.othersCommits, logger: parts.logger,
            catchUp: parts.follower.catchUp)
        parts.observeCommits(streams)
    }

    /// Returns when everything that was committed before the call, on any node, is in force for reads of this process.
    /// Every request waits for it before it is answered. A process that has the database for itself knows its own
    /// commits, and hears of an import before the jobs that it has an effect on leave the outbox.
    ///
    /// - Throws: an error of the database; the request must not be answered then.
    package func confirm() async throws { _ = try await confirm(reading: nil) }

    /// Same as ``confirm()``. Meanwhile reads the window for the first page of a home timeline, unless so many requests
    /// wait that something is likely to happen meanwhile.
    package func confirm(reading page: (viewer: UserID, limit: Int)?) async throws -> EarlyWindow? {
        guard case .shared = tenure, parts.mechanisms.confirmsReads else { return nil }
        guard let page, parts.follower.isIdle else {
            try await parts.follower.catchUp()
            return nil
        }
        return try await withThrowingTaskGroup(of: EarlyWindow?.self) { group in
            // Asks Redis with this thread. One entry more than the page holds tells whether another page follows.
            group.addImmediateTask { await self.readers.home.sources.early(of: page.viewer, count: page.limit + 1) }
            try await self.parts.follower.catchUp()
            return try await group.next() ?? nil
        }
    }

    /// The place in the change log up to which the commits of others are known.
    package var known: Int64 { parts.follower.known }

    /// Runs until cancelled or shut down gracefully. Work in progress then stays in the outbox, and the lease is
    /// released.
    ///
    /// - Throws: `LeaseLost` when another server has taken over a database that this process had for itself.
    package func run() async throws {
        switch tenure {
        case .sole(let fanout, let keeper):
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await serve { group in
                        group.addTask { try await keeper.run() }
                        group.addTask { try await fanout.run() }
                    })
            } catch { result = .failure(error) }
            await keeper.release()
            try result.get()
        case .shared(let duties, let surroundings, let shards, let requests, let settler):
            let groups = LeasedGroups()
            try await serve { group in
                group.addTask { await shards.run() }
                group.addTask { await requests.run() }
                group.addTask { await settler.run() }
                for (index, duty) in duties.enumerated() {
                    group.addTask { try await duty { try await groups.serve(index, under: $0) } }
                }
                group.addTask { await groups.run { try await self.fanOut(surroundings, $0) } }
            }
        }
    }

    /// Runs the tasks that `add` adds, and those of every process that reads timelines.
    private func serve(_ add: @escaping @Sendable (inout ThrowingTaskGroup<Void, any Error>) -> Void) async throws {
        try await cancelWhenGracefulShutdown { [self] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                add(&group)
                group.addTask { await FilterWindowBuilder(reader: self.readers.home, logger: self.parts.logger).run() }
                if self.parts.mechanisms.looksUnasked {
                    group.addTask { await self.parts.follower.run() }
                    group.addTask { await self.streams.run() }
                }
                // The first error ends all tasks. Waiting for all of them would not.
                for try await _ in group {}
            }
        }
    }

    /// Does the fan-out for the groups of windows that `leases` are for.
    private func fanOut(_ surroundings: Fanout.Surroundings, _ leases: [Int: HeldLease]) async throws {
        guard let share = FanoutShare(of: leases, shards: surroundings.redis.shards) else { return }
        let fanout = try await Fanout(surroundings, share: share)
        parts.fanout.begin(fanout)
        defer { parts.fanout.begin(nil) }
        try await fanout.run()
    }

    /// The number of jobs that may still change a window, rebuilds included, and the creation time of the oldest in
    /// milliseconds since 1970. Counts those of all nodes.
    package func pending() async throws -> (count: Int, oldest: Int64?) {
        let outbox = try await gauge.depth()
        var builds = (fanout?.builder.pending ?? 0) + readers.home.filterWindows.requests.pending
        if case .shared(_, _, _, let requests, _) = tenure { builds += await requests.pending() }
        return (Int(outbox.pending) + builds, outbox.oldest)
    }

    /// Number of servers that share the windows; nil if a cluster has them.
    package var serverCount: Int? { cluster == nil ? shards.all.count : nil }

    /// The number of masters of a cluster, and the numbers of the buckets whose windows are not being read, or written
    /// if this process alone does so; nil without a cluster.
    package var cluster: (masters: Int, coldBuckets: [Int])? {
        if case .shared(_, _, let shards, _, _) = tenure { return shards.cluster }
        return fanout?.windows.keeper.map { keeper in
            (keeper.masterCount, keeper.homes.indices.filter { !keeper.homes[$0].isServed })
        }
    }

    /// Returns for each server whether its windows are being read and written; for a cluster as a whole.
    package func serversAnswer() async -> [Bool] {
        let answers = await shardsAnswer()
        return serverCount == nil ? [answers.allSatisfy(\.self)] : answers
    }

    /// The number of windows whose tails wait to be folded.
    package var waitingFolds: Int { fanout?.windows.kept.reduce(0) { $0 + $1.writer.waitingFolds } ?? 0 }

    /// Returns for each shard whether its windows are being read and, if this process does so, written.
    package func shardsAnswer() async -> [Bool] {
        let unwritten = Set(
            fanout?.windows.kept.filter { $0.writing.state != .up }.map(\.number.index) ?? [])
        return await withTaskGroup(of: (Int, Bool).self) { group in
            for shard in shards.all { group.addTask { (shard.number.index, await shard.answers()) } }
            return await group.reduce(into: Array(repeating: false, count: shards.all.count)) { answers, shard in
                answers[shard.0] = shard.1 && !unwritten.contains(shard.0)
            }
        }
    }
}

extension TimelineParts {
    fileprivate func surroundings(
        _ redis: WindowServers, _ depth: WindowDepth, _ options: TimelineOptions, isShared: Bool
    ) -> Fanout.Surroundings {
        Fanout.Surroundings(
            graph: graph, redis: redis, depth: depth, options: options, follower: follower, caches: caches,
            pendingWrites: pendingWrites, recent: recent, metrics: metrics, isShared: isShared, logger: logger)
    }
}
