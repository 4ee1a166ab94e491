import Database
import Logging
import RedisClient
import SocialGraph

extension WindowShards {
    /// The shards of a fan-out under `lease`.
    ///
    /// - Throws: `RedisError` for an unusable configuration.
    init(_ it: Fanout.Surroundings, _ lease: HeldLease) async throws {
        // Before any job is done: those that are done from here on may pass by the windows of other shards.
        try await WindowSpace.distribute(over: it.redis.shards, in: it.graph, leaseEpoch: lease.epoch)
        func space(_ number: ShardNumber) -> WindowSpace {
            // Copies in memory follow the pushes of this process alone.
            let recent = it.isShared ? nil : RecentWindows(capacity: RecentWindows.defaultCapacity / it.redis.shards)
            return WindowSpace(
                graph: it.graph, leaseEpoch: lease.epoch, shard: number, recent: recent,
                mayWrite: { lease.isHeld }, logger: it.logger)
        }
        let (depth, options) = (it.depth, it.options)
        switch it.redis {
        case .servers(let servers):
            self.init(
                try zip(ShardNumber.all(of: servers.count), servers).map {
                    try WindowShard($0, $1, space($0), depth, options.idle, it.logger)
                })
        case .cluster(let configuration):
            let keeper = try BucketKeeper(
                configuration, depth: depth, patience: options.shardPatience, logger: it.logger, space: space)
            self.init(keeper.homes.map { WindowShard($0, depth, options.idle, it.logger) }, keeper: keeper)
        }
    }
}

extension WindowShard {
    /// A bucket of a cluster.
    init(_ home: BucketHome, _ depth: WindowDepth, _ idle: Duration, _ logger: Logger) {
        let (writing, reading, space) = (BucketWriting(home: home), BucketReading(home: home), home.space)
        self.init(
            number: space.shard, space: space, writing: writing, reading: reading,
            writer: WindowWriter(
                connection: writing, space: space, depth: depth, idle: idle, folds: FoldQueue(), logger: logger),
            reader: WindowReader(connection: reading, space: space, idle: IdleWindows(idle: idle)))
    }

    /// A shard with a Redis of its own.
    init(
        _ number: ShardNumber, _ redis: RedisConfiguration, _ space: WindowSpace, _ depth: WindowDepth,
        _ idle: Duration, _ logger: Logger
    ) throws {
        let reading = try RedisConnection(
            configuration: redis.patientWithReads, name: "reads" + number.label, logger: logger
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

extension ReadableShards {
    /// The windows that another node may maintain, and what keeps them up to date: a receiver of stored generations.
    ///
    /// - Throws: `RedisError` for an unusable configuration.
    static func followed(
        in redis: [RedisConfiguration], _ options: TimelineOptions, _ logger: Logger
    ) throws -> (shards: ReadableShards, generations: @Sendable ([String: String]) -> Void) {
        let spaces = ShardNumber.all(of: redis.count).map { FollowedSpace(shard: $0, options.mechanisms) }
        let shards = try zip(spaces, redis).map { space, configuration in
            let connection = try RedisConnection(
                configuration: configuration.patientWithReads, name: "followed" + space.shard.label, logger: logger
            ) { space.confirm(runID: $0.runID) }
            return ReadableShard(
                number: space.shard, space: space, connection: connection,
                reader: WindowReader(connection: connection, space: space, idle: IdleWindows(idle: options.idle)))
        }
        return (ReadableShards(shards), { settings in for space in spaces { space.note(settings) } })
    }
}

extension RedisConfiguration {
    /// The configuration of page reads, which the database answers if Redis takes longer.
    fileprivate var patientWithReads: RedisConfiguration {
        var configuration = self
        configuration.commandTimeout = .milliseconds(500)
        return configuration
    }
}
