import ArgumentParser
import CommandSupport
import Foundation
import Logging
import RedisClient
import SocialGraph
import Synchronization
import Timeline

/// The Redis that holds the windows of the data directory.
struct RedisOptions: ParsableArguments {
    static let environmentVariable = "GRAPHD_REDIS"

    @Option(
        help: ArgumentHelp(
            "Redis that the server uses. (default: \(Self.environmentVariable) of the environment, else the "
                + "server's private one)",
            valueName: "url"))
    var redis: String?

    /// Returns the named Redis, otherwise the private one of each shard that the server has distributed windows over.
    func configurations(
        _ directory: DataDirectoryOptions, _ graph: GraphStore,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> WindowServers {
        if let named = try named(environment) { return named }
        let shards = try await WindowSpace.storedShards(in: graph)
        guard ShardNumber.counts.contains(shards) else {
            throw ValidationError("The windows are in a Redis Cluster; name it with --redis.")
        }
        return .servers(
            DataDirectory(path: directory.path).redisSockets(shards: shards).map { socket in
                Self.patient(RedisConfiguration(endpoint: .unix(path: socket)))
            })
    }

    /// Returns the Redis that the option or the environment names; nil if neither does.
    func named(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> WindowServers? {
        let text = redis ?? environment[Self.environmentVariable].flatMap { $0.isEmpty ? nil : $0 }
        do {
            return try text.map { Self.patient(try WindowServers(parsing: $0)) }
        } catch let error as RedisError {
            throw ValidationError(error.message)
        }
    }

    private static func patient(_ servers: WindowServers) -> WindowServers {
        switch servers {
        case .servers(let servers): return .servers(servers.map(patient))
        case .cluster(var cluster):
            cluster.node = patient(cluster.node)
            return .cluster(cluster)
        }
    }

    private static func patient(_ configuration: RedisConfiguration) -> RedisConfiguration {
        var patient = configuration
        // A window can be requested while the server is busy with bulk pushes.
        patient.commandTimeout = .seconds(30)
        return patient
    }
}

/// The windows that a running server keeps for a data directory, for commands that only read them.
struct StoredTimelines: Sendable {
    /// Longest wait for a Redis that does not answer.
    static let patience = Duration.seconds(3)

    /// At least one shard answers.
    let windows: WindowStores

    /// Runs `body` with the windows, or with nil if no Redis answers. Each Redis that does not answer is reported on
    /// standard error.
    ///
    /// - Parameter redis: The Redis that holds the windows.
    static func open<T: Sendable>(
        graph: GraphStore, redis: WindowServers,
        _ body: @escaping @Sendable (StoredTimelines?) async throws -> T
    ) async throws -> T {
        switch redis {
        case .servers(let servers): try await open(graph: graph, servers: servers, body)
        case .cluster(let cluster): try await open(graph: graph, cluster: cluster, body)
        }
    }

    private static func open<T: Sendable>(
        graph: GraphStore, servers redis: [RedisConfiguration],
        _ body: @escaping @Sendable (StoredTimelines?) async throws -> T
    ) async throws -> T {
        let shards = try zip(ShardNumber.all(of: redis.count), redis).map { try Shard(number: $0, redis: $1) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for shard in shards { group.addTask { await shard.connection.run() } }
            defer { for shard in shards { shard.connection.close() } }
            var stores: [WindowStores.Store?] = []
            for shard in shards { stores.append(try await shard.store(graph)) }
            guard stores.contains(where: { $0 != nil }) else { return try await body(nil) }
            return try await body(StoredTimelines(windows: WindowStores(stores)))
        }
    }
}

/// The Redis of one shard.
private struct Shard: Sendable {
    let number: ShardNumber
    let redis: RedisConfiguration
    let connection: RedisConnection
    /// The run of Redis that the connection leads to.
    private let run = Answer()

    private final class Answer: Sendable {
        let runID = Mutex<String?>(nil)
    }

    init(number: ShardNumber, redis: RedisConfiguration) throws {
        self.number = number
        self.redis = redis
        let quiet = Logger(label: "graphd", factory: { _ in SwiftLogNoOpLogHandler() })
        connection = try RedisConnection(configuration: redis, name: "timelines", logger: quiet) { [run] handshake in
            run.runID.withLock { $0 = handshake.runID }
        }
    }

    /// Returns the windows; nil if no Redis answers.
    func store(_ graph: GraphStore) async throws -> WindowStores.Store? {
        guard isThere, await connection.isUp(within: StoredTimelines.patience) else {
            StandardError.print(
                "No Redis answers at \(redis), so there are no windows to inspect. Start `graphd serve`, or name "
                    + "its Redis with --redis.")
            return nil
        }
        let stored = try await WindowSpace.stored(in: graph, number)
        let isSameRun = stored?.runID == run.runID.withLock { $0 }
        if stored == nil || !isSameRun {
            StandardError.print(
                "The Redis at \(redis) holds no windows of this data directory: its server has not used "
                    + "it since it was started.")
        }
        return WindowStores.Store(connection: connection, keys: isSameRun ? stored?.keys : nil)
    }

    /// Returns false if the socket does not exist: then waiting is pointless.
    private var isThere: Bool {
        guard case .unix(let path) = redis.endpoint else { return true }
        return FileManager.default.fileExists(atPath: path)
    }
}
