import Database
import Logging
import RedisClient
import SocialGraph

extension TimelineService {
    /// Adds the tasks of a shard.
    func serve(_ shard: WindowShard, _ group: inout ThrowingTaskGroup<Void, any Error>) {
        group.addTask { await shard.writing.run() }
        group.addTask { await shard.reading.run() }
        group.addTask { await shard.writer.runFolds() }
        group.addTask {
            await WindowSweeper(space: shard.space, connection: shard.writing, logger: self.logger).run()
        }
        if isAudited {
            group.addTask {
                await WindowAudit(
                    graph: self.graph, connection: shard.writing, space: shard.space, idle: self.idle,
                    metrics: self.metrics, logger: self.logger
                ).run()
            }
        }
        if shard.space.mayBeGivenUp {
            group.addTask { await shard.watch(patience: self.shardPatience, logger: self.logger) }
        }
    }

    /// Number of Redis servers that share the windows.
    package var shardCount: Int { shards.count }

    /// The number of windows whose tails wait to be folded.
    package var waitingFolds: Int { shards.all.reduce(0) { $0 + $1.writer.waitingFolds } }

    /// Returns for each shard whether its windows are being read and written.
    package func shardsAnswer() async -> [Bool] {
        await withTaskGroup(of: (Int, Bool).self) { group in
            for shard in shards.all { group.addTask { (shard.number.index, await shard.answers()) } }
            return await group.reduce(into: Array(repeating: false, count: shards.count)) { $0[$1.0] = $1.1 }
        }
    }

    /// Returns whether the windows of all shards are being read and written.
    package func redisAnswers() async -> Bool { await shardsAnswer().allSatisfy(\.self) }
}

extension WindowShards {
    /// - Parameter redis: The Redis of each shard.
    /// - Throws: `RedisError` for an unusable configuration.
    init(
        over redis: [RedisConfiguration], _ graph: GraphStore, _ lease: HeldLease, _ depth: WindowDepth,
        _ idle: Duration, _ logger: Logger
    ) async throws {
        // Before any job is done: those that are done from here on may pass by the windows of other shards.
        try await WindowSpace.distribute(over: redis.count, in: graph, leaseEpoch: lease.epoch)
        self.init(
            try zip(ShardNumber.all(of: redis.count), redis).map { number, configuration in
                let space = WindowSpace(
                    graph: graph, leaseEpoch: lease.epoch, shard: number,
                    recent: RecentWindows(capacity: RecentWindows.defaultCapacity / redis.count),
                    mayWrite: { lease.isHeld }, logger: logger)
                return try WindowShard(number, configuration, space, depth, idle, logger)
            })
    }
}

extension WindowShard {
    init(
        _ number: ShardNumber, _ redis: RedisConfiguration, _ space: WindowSpace, _ depth: WindowDepth,
        _ idle: Duration, _ logger: Logger
    ) throws {
        var patience = redis
        patience.commandTimeout = .milliseconds(500)
        let reading = try RedisConnection(
            configuration: patience, name: "reads" + number.label, logger: logger
        ) { handshake in
            try await space.confirm(runID: handshake.runID)
        }
        let writing = try RedisConnection(
            configuration: redis, name: "windows" + number.label, givingWayTo: reading, logger: logger
        ) { handshake in
            try await space.establish(over: handshake, runID: handshake.runID)
            await WindowEncoding.warn(ifTooSmallFor: depth, over: handshake, logger)
        }
        self.init(
            number: number, space: space, writing: writing, reading: reading,
            writer: WindowWriter(
                connection: writing, space: space, depth: depth, idle: idle, folds: FoldQueue(), logger: logger),
            reader: WindowReader(connection: reading, space: space, idle: IdleWindows(idle: idle)))
    }
}
