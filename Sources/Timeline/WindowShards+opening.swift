import Database
import Logging
import RedisClient
import SocialGraph

extension WindowShards {
    /// The shards of a fan-out for `share`.
    ///
    /// - Throws: `RedisError` for an unusable configuration.
    init(_ it: Fanout.Surroundings, _ share: FanoutShare) async throws {
        // Before any job is done: those that are done from here on may pass by the windows of other shards.
        try await WindowSpace.distribute(over: it.redis.shards, in: it.graph, lease: share.first.stamp)
        func space(_ number: ShardNumber) -> WindowSpace {
            // Copies in memory follow the pushes of this process alone.
            let recent = it.isShared ? nil : RecentWindows(capacity: RecentWindows.defaultCapacity / it.redis.shards)
            let lease = share.lease(of: number)
            return WindowSpace(
                graph: it.graph, lease: (lease ?? share.first).stamp, shard: number, recent: recent,
                mayWrite: { lease?.isHeld ?? false }, logger: it.logger)
        }
        let (depth, options) = (it.depth, it.options)
        switch it.redis {
        case .servers(let servers):
            self.init(
                try zip(ShardNumber.all(of: servers.count), servers).map {
                    try WindowShard($0, $1, space($0), depth, options.idle, it.logger)
                }, of: share)
        case .cluster(let configuration):
            let keeper = try BucketKeeper(
                configuration, share: share, depth: depth, patience: options.shardPatience, logger: it.logger,
                space: space)
            self.init(keeper.homes.map { WindowShard($0, depth, options.idle, it.logger) }, of: share, keeper: keeper)
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
                connection: writing, space: space, depth: depth, idle: idle, folds: .ofBucket, logger: logger),
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

/// The windows that other nodes may maintain, and what keeps them readable.
struct FollowedShards: Sendable {
    let readable: ReadableShards
    private let spaces: [FollowedSpace]
    /// Nil outside a cluster.
    private let buckets: FollowedBuckets?

    /// - Throws: `RedisError` for an unusable configuration.
    init(in redis: WindowServers, _ options: TimelineOptions, _ logger: Logger) throws {
        let mechanisms = options.mechanisms
        func shard(_ space: FollowedSpace, over connection: any WindowConnection) -> ReadableShard {
            ReadableShard(
                number: space.shard, space: space, connection: connection,
                reader: WindowReader(connection: connection, space: space, idle: IdleWindows(idle: options.idle)))
        }
        switch redis {
        case .servers(let servers):
            buckets = nil
            spaces = ShardNumber.all(of: servers.count).map { FollowedSpace(shard: $0, mechanisms) }
            readable = ReadableShards(
                try zip(spaces, servers).map { space, configuration in
                    let connection = try RedisConnection(
                        configuration: configuration.patientWithReads, name: "followed" + space.shard.label,
                        logger: logger
                    ) { space.confirm(runID: $0.runID) }
                    return shard(space, over: connection)
                })
        case .cluster(let configuration):
            let buckets = try FollowedBuckets(configuration, logger: logger)
            self.buckets = buckets
            spaces = ShardNumber.all(of: RedisBucket.count).map { number in
                let bucket = RedisBucket(number.index)
                return FollowedSpace(shard: number, mechanisms) { buckets.session(of: bucket)?.runID }
            }
            readable = ReadableShards(
                zip(RedisBucket.all, spaces).map { bucket, space in
                    shard(space, over: FollowedBucketReading(bucket: bucket, buckets: buckets, space: space))
                })
        }
    }

    /// The stored generations, which are still to be read.
    func generations(in graph: GraphStore) -> FollowedGenerations { FollowedGenerations(spaces, in: graph.settings) }

    /// The number of masters of a cluster, and the buckets whose windows are not being read; nil without a cluster.
    var cluster: (masters: Int, coldBuckets: [Int])? {
        buckets.map { ($0.cluster.masters.count, spaces.indices.filter { spaces[$0].keys == nil }) }
    }

    /// Serves the connections until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            if let buckets { group.addTask { await buckets.run(for: spaces) } }
            for case let connection as RedisConnection in readable.all.map(\.connection) {
                group.addTask { await connection.run() }
            }
        }
    }
}
